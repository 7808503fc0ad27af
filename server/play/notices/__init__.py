"""Who is told what, where, and how it gets there.

================================= =========================================================
``notices``                       who is told what, and live topics
``webhooks`` ``posting`` ``chat`` webhooks; one notice to one of them; to a chat
``push``                          notices pushed to browsers: keys, encryption, who is told
``reply_tags`` ``mail_choice``    addresses for answers by mail; how much is mailed
``delivery`` ``addresses``        sending it; addresses to which nothing is sent
================================= =========================================================
"""
