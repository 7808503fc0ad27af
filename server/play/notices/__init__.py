"""Notifications: recipients, contents, channels and delivery.

================================= =========================================================
``notices``                       recipients and contents of notices; live topics
``webhooks`` ``posting`` ``chat`` webhooks; posting a notice to one of them; to a chat
``push``                          push notifications to browsers: keys, encryption, subscriptions
``reply_tags`` ``mail_choice``    addresses for replies by email; the amount of email
``delivery`` ``addresses``        sending; addresses to which nothing is sent
================================= =========================================================
"""
