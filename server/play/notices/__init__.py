"""Notifications: recipients, contents, channels and delivery.

======================== =====================================================================
``notices``              recipients and contents of notices; live topics
``webhooks`` ``posting`` webhooks, deliveries, chosen channels; posting a notice, and to where
``push``                 push notifications to browsers: keys, encryption, subscriptions
``reply_tags``           addresses for replies by email
``delivery``             sending
======================== =====================================================================
"""
