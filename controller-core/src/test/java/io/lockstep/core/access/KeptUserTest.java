package io.lockstep.core.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.Bytes;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** Users are written as they were: nodes of two releases read them. */
class KeptUserTest {
  private static final Bytes KEPT =
      Bytes.wrap(
          HexFormat.of()
              .parseHex(
                  "0103616461076f70657261746520000102030405060708090a0b0c0d0e0f1011"
                      + "12131415161718191a1b1c1d1e1f0000000000000102"));

  private static User user() {
    byte[] digest = new byte[Token.DIGEST_BYTES];
    for (int at = 0; at < digest.length; at++) {
      digest[at] = (byte) at;
    }
    return new User("ada", Role.OPERATE, Bytes.wrap(digest), 258);
  }

  @Test
  void userIsReadAndWrittenAsItWas() {
    UserTable table = new UserTable();
    assertThat(table.decodeValue(KEPT)).isEqualTo(user());
    assertThat(table.encodeValue(user()))
        .as("a new format needs a version of the cluster: docs/adr/0043")
        .isEqualTo(KEPT);
  }
}
