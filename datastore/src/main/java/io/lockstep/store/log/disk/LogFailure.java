package io.lockstep.store.log.disk;

import java.io.IOException;
import java.util.Locale;

/**
 * The failure of a log, which can no longer keep anything.
 *
 * @param file the file concerned, with its directory
 * @param operation that failed
 * @param reason from the operating system
 * @param remedy for the operator
 */
public record LogFailure(String file, String operation, String reason, String remedy) {

  static LogFailure of(Storage storage, String file, String operation, Exception cause) {
    String reason = String.valueOf(cause.getMessage());
    return new LogFailure(
        storage.directory() + "/" + file, operation, reason, remedy(storage, reason));
  }

  private static String remedy(Storage storage, String reason) {
    boolean full = reason.toLowerCase(Locale.ROOT).contains("no space left");
    try {
      full |= storage.freeBytes() < 1 << 20;
    } catch (IOException unreadable) {
      return "see to the disk and restart; if it is lost, replace it and restart with an empty"
          + " directory";
    }
    return full
        ? "the disk is full: free some space (files named set-aside-* there can go) and restart"
        : "see to the disk (the kernel's log may say more) and restart; if files are damaged then,"
            + " the replica says which";
  }

  @Override
  public String toString() {
    return operation + " " + file + " failed: " + reason + "; " + remedy;
  }
}
