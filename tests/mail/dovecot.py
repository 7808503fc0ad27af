"""Debian's dovecot as a mail server of one's own: mailboxes by IMAP, delivery by LMTP.

It runs with a configuration and a folder made for it, beside any that the machine may have. 2.3 and 2.4 name some
settings differently, so there is a form for each.

* 2.3: the tests run with it (Debian's 2.3.19).
* 2.4: never run here. Each setting was looked up in the guide "Upgrading Dovecot CE from 2.3 to 2.4"
  (doc.dovecot.org), in the example ``doc/dovecot.conf.in`` and in the tables of settings of Dovecot's source (2.4.4):
  ``src/auth/auth-settings.c``, ``src/lib-storage/mail-storage-settings.c``, ``src/login-common/login-settings.c``,
  ``src/master/master-settings.c``. ``test_ways_in.py`` holds that 2.4 gets this form and no setting that 2.4 refuses.
"""

from __future__ import annotations

import os
import pwd
import shutil
import smtplib
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

from imap_tools import MailBoxUnencrypted, MailMessageFlags

PROGRAM = Path("/usr/sbin/dovecot")
MODULES = Path("/usr/lib/dovecot")
PASSWORD = "sesame"
_START = 20.0
"""Seconds it may take to begin."""


def missing() -> str:
    """Return what of dovecot is not installed, empty when all is there."""
    needed = {"dovecot-imapd": MODULES / "imap", "dovecot-lmtpd": MODULES / "lmtp"}
    gone = [package for package, file in needed.items() if not (PROGRAM.exists() and file.exists())]
    return f"not installed: {', '.join(gone)}" if gone else ""


@dataclass(frozen=True, slots=True)
class Dovecot:
    """A running server. Every address has a mailbox; ``name+anything@host`` goes to that of ``name@host``."""

    imap_port: int
    lmtp_port: int

    def deliver(self, raw: bytes, recipient: str, sender: str = "") -> None:
        """Hand a mail to its mailbox."""
        with smtplib.LMTP("127.0.0.1", self.lmtp_port) as there:
            there.sendmail(sender, [recipient], raw)

    def unread(self, address: str) -> list[EmailMessage]:
        """Return the mails of a mailbox that were not read yet, and mark them as read."""
        found = []
        with MailBoxUnencrypted("127.0.0.1", self.imap_port).login(address, PASSWORD) as box:
            for mail in box.fetch("UNSEEN", mark_seen=True):
                message = message_from_bytes(mail.obj.as_bytes(), policy=policy.default)
                assert isinstance(message, EmailMessage)
                found.append(message)
        return found

    def count_unread(self, address: str) -> int:
        """Return how many mails of a mailbox are not read."""
        with MailBoxUnencrypted("127.0.0.1", self.imap_port).login(address, PASSWORD) as box:
            return len(box.uids("UNSEEN"))

    def mark_unread(self, address: str) -> None:
        """Make all mails of a mailbox unread again."""
        with MailBoxUnencrypted("127.0.0.1", self.imap_port).login(address, PASSWORD) as box:
            box.flag(box.uids(), MailMessageFlags.SEEN, False)


@contextmanager
def running() -> Iterator[Dovecot]:
    """Run a server of one's own while the block runs."""
    folder = Path(tempfile.mkdtemp(prefix="dovecot-"))  # a short path: sockets lie in it
    server = Dovecot(_free_port(), _free_port())
    file = folder / "dovecot.conf"
    version = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True, check=True).stdout
    file.write_text(configuration(folder, server, version))
    process = subprocess.Popen([PROGRAM, "-F", "-c", file], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        _wait(process, (server.imap_port, server.lmtp_port), folder / "log")
        yield server
    finally:
        process.terminate()
        process.wait(20)
        shutil.rmtree(folder, ignore_errors=True)


def configuration(folder: Path, server: Dovecot, version: str) -> str:
    """Return the configuration for a version, as ``dovecot --version`` prints it; makes the folder of the mails."""
    modern = tuple(int(part) for part in version.split()[0].split(".")[:2]) >= (2, 4)
    me = pwd.getpwuid(os.getuid())
    owner = pwd.getpwnam("nobody") if me.pw_uid == 0 else me
    mails = folder / "mails"
    mails.mkdir(exist_ok=True)
    os.chown(mails, owner.pw_uid, owner.pw_gid)
    folder.chmod(0o755)
    users = "" if me.pw_uid == 0 else f"default_internal_user = {me.pw_name}\ndefault_login_user = {me.pw_name}\n"
    return (
        (_HEAD_2_4 if modern else "")
        + users
        + _COMMON.format(folder=folder, imap=server.imap_port, lmtp=server.lmtp_port, uid=owner.pw_uid)
        + (_REST_2_4 if modern else _REST_2_3).format(
            mails=mails, password=PASSWORD, uid=owner.pw_uid, gid=owner.pw_gid
        )
    )


# --- inside ---


def _wait(process: subprocess.Popen[bytes], ports: tuple[int, ...], log: Path) -> None:
    until = time.monotonic() + _START
    for port in ports:
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                if process.poll() is not None or time.monotonic() > until:
                    told = log.read_text() if log.exists() else ""
                    raise RuntimeError(f"dovecot does not begin: {told[-2000:]}") from None
                time.sleep(0.05)


def _free_port() -> int:
    with socket.socket() as there:
        there.bind(("127.0.0.1", 0))
        return int(there.getsockname()[1])


_HEAD_2_4 = "dovecot_config_version = 2.4.0\ndovecot_storage_version = 2.4.0\n"
_COMMON = """\
protocols = imap lmtp
listen = 127.0.0.1
base_dir = {folder}/run
log_path = {folder}/log
ssl = no
first_valid_uid = {uid}
recipient_delimiter = +
service anvil {{
  chroot =
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {imap}
  }}
  inet_listener imaps {{
    port = 0
  }}
}}
service lmtp {{
  inet_listener lmtp {{
    port = {lmtp}
  }}
}}
"""
_REST_2_3 = """\
disable_plaintext_auth = no
mail_location = maildir:{mails}/%u
passdb {{
  driver = static
  args = password={password}
}}
userdb {{
  driver = static
  args = uid={uid} gid={gid} home={mails}/%u allow_all_users=yes
}}
"""
_REST_2_4 = """\
auth_allow_cleartext = yes
mail_driver = maildir
mail_home = {mails}/%{{user}}
mail_path = ~/Maildir
namespace inbox {{
  inbox = yes
}}
passdb static {{
  passdb_static_password = {password}
}}
userdb static {{
  userdb_static_allow_all_users = yes
  fields {{
    uid = {uid}
    gid = {gid}
    home = {mails}/%{{user}}
  }}
}}
"""
