package io.lockstep.core.access;

import io.lockstep.core.state.RecordCodec;
import io.lockstep.store.Bytes;
import io.lockstep.store.TableSpec;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;
import java.util.Map;

/** The table {@code core.users}: name to {@link User}. */
public final class UserTable implements RecordCodec<String, User> {
  /** The table's name. */
  public static final String NAME = "core.users";

  private static final int FORMAT = 1;
  private static final int MAX_NAME_BYTES = 64;
  private static final int MAX_ROLE_BYTES = 16;

  /** The table, for every client to declare. */
  public static Map<String, TableSpec> tables() {
    return Map.of(NAME, TableSpec.values());
  }

  @Override
  public Bytes encodeKey(String name) {
    return Bytes.utf8(name);
  }

  @Override
  public String decodeKey(Bytes bytes) {
    return bytes.toUtf8();
  }

  @Override
  public Bytes encodeValue(User user) {
    return new ByteWriter()
        .int8(FORMAT)
        .utf8(user.name())
        .utf8(user.role().text())
        .bytes(user.digest())
        .int64(user.sinceMillis())
        .toBytes();
  }

  @Override
  public User decodeValue(Bytes bytes) {
    ByteReader in = new ByteReader(bytes);
    in.version(FORMAT, "user");
    String name = in.utf8(MAX_NAME_BYTES);
    String text = in.utf8(MAX_ROLE_BYTES);
    Role role =
        Role.of(text).orElseThrow(() -> new IllegalArgumentException("no role of a user: " + text));
    User user = new User(name, role, in.bytes(Token.DIGEST_BYTES), in.int64());
    in.end();
    return user;
  }
}
