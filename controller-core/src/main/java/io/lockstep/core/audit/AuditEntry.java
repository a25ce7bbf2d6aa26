package io.lockstep.core.audit;

import io.lockstep.store.Bytes;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;

/**
 * One change by a person or a program. Texts that are too long are cut, so an entry always fits.
 *
 * @param timeMillis consensus-ordered time, in milliseconds since 1970 as leaders see it; 0 before
 *     it is in the store
 * @param node through which it was made
 * @param user who made it, as far as that node knows; {@code unknown} otherwise
 * @param method of HTTP
 * @param path of the admin HTTP, with its query
 * @param status of the answer: 504 where it is unknown whether something changed
 * @param oldVersion that the change was decided on; empty for none
 * @param newVersion that it made; empty for none
 */
public record AuditEntry(
    long timeMillis,
    String node,
    String user,
    String method,
    String path,
    int status,
    String oldVersion,
    String newVersion) {
  private static final int FORMAT = 1;
  private static final int MAX_NAME_CHARS = 64;
  private static final int MAX_PATH_CHARS = 512;

  public AuditEntry {
    node = cut(node, MAX_NAME_CHARS);
    user = cut(user, MAX_NAME_CHARS);
    method = cut(method, MAX_NAME_CHARS);
    path = cut(path, MAX_PATH_CHARS);
    oldVersion = cut(oldVersion, MAX_NAME_CHARS);
    newVersion = cut(newVersion, MAX_NAME_CHARS);
  }

  /** Only what a terminal can show, so that no entry changes how another looks. */
  private static String cut(String text, int mostChars) {
    String start = text.length() <= mostChars ? text : text.substring(0, mostChars);
    for (int i = 0; i < start.length(); i++) {
      if (!isShown(start.charAt(i))) {
        return replaced(start);
      }
    }
    return start;
  }

  private static boolean isShown(char one) {
    return one >= ' ' && one <= '~';
  }

  private static String replaced(String text) {
    StringBuilder shown = new StringBuilder(text);
    for (int i = 0; i < shown.length(); i++) {
      if (!isShown(shown.charAt(i))) {
        shown.setCharAt(i, '?');
      }
    }
    return shown.toString();
  }

  AuditEntry at(long millis) {
    return new AuditEntry(millis, node, user, method, path, status, oldVersion, newVersion);
  }

  Bytes encode() {
    return new ByteWriter(256)
        .int8(FORMAT)
        .int64(timeMillis)
        .utf8(node)
        .utf8(user)
        .utf8(method)
        .utf8(path)
        .int32(status)
        .utf8(oldVersion)
        .utf8(newVersion)
        .toBytes();
  }

  static AuditEntry decode(Bytes bytes) {
    ByteReader in = new ByteReader(bytes);
    in.version(FORMAT, "entry of the audit trail");
    AuditEntry entry =
        new AuditEntry(
            in.int64(),
            in.utf8(MAX_NAME_CHARS),
            in.utf8(MAX_NAME_CHARS),
            in.utf8(MAX_NAME_CHARS),
            in.utf8(MAX_PATH_CHARS),
            in.int32(),
            in.utf8(MAX_NAME_CHARS),
            in.utf8(MAX_NAME_CHARS));
    in.end();
    return entry;
  }
}
