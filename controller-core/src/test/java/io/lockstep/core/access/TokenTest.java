package io.lockstep.core.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.store.Bytes;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class TokenTest {
  private static final Token TOKEN = Token.generate("carol.b", new SecureRandom());

  @Test
  void textIsReadBack() {
    assertThat(Token.of(TOKEN.text())).contains(TOKEN);
    assertThat(TOKEN.text()).startsWith("carol.b.").hasSize("carol.b.".length() + 43);
  }

  @Test
  void eachTokenIsNew() {
    assertThat(Token.generate("carol.b", new SecureRandom()).digest()).isNotEqualTo(TOKEN.digest());
  }

  @Test
  void secretIsNeverPrinted() {
    assertThat(TOKEN).hasToString("token of carol.b").asString().doesNotContain(TOKEN.secret());
  }

  @Test
  void whatIsNoTokenIsNone() {
    String secret = TOKEN.secret();
    for (String text :
        List.of(
            "",
            ".",
            "carol",
            secret,
            "." + secret,
            "carol." + secret.substring(1),
            "carol." + secret + "x",
            "car ol." + secret,
            "-carol." + secret,
            "carol." + secret.substring(1) + "=",
            "x".repeat(65) + "." + secret)) {
      assertThat(Token.of(text)).as(text).isEmpty();
    }
  }

  @Test
  void digestIsThatOfTheSecret() {
    assertThat(new Token("a", "A".repeat(43)).digest().length()).isEqualTo(Token.DIGEST_BYTES);
    assertThat(new Token("a", "A".repeat(43)).digest())
        .isEqualTo(new Token("b", "A".repeat(43)).digest())
        .isNotEqualTo(new Token("a", "B".repeat(43)).digest());
  }

  @Test
  void rolesIncludeThoseBefore() {
    assertThat(Role.ADMIN.includes(Role.READ)).isTrue();
    assertThat(Role.OPERATE.includes(Role.OPERATE)).isTrue();
    assertThat(Role.READ.includes(Role.OPERATE)).isFalse();
    for (Role role : Role.values()) {
      assertThat(Role.of(role.text())).contains(role);
    }
    assertThat(Role.of("root")).isEmpty();
  }

  @Test
  void userIsReadBackAndAnyCutIsRefused() {
    UserTable table = new UserTable();
    User user = new User("carol.b", Role.OPERATE, TOKEN.digest(), 1_234);
    Bytes bytes = table.encodeValue(user);
    assertThat(table.decodeValue(bytes)).isEqualTo(user);
    assertThat(table.decodeKey(table.encodeKey("carol.b"))).isEqualTo("carol.b");
    for (int length = 0; length < bytes.length(); length++) {
      Bytes cut = Bytes.copyOf(Arrays.copyOf(bytes.toArray(), length));
      assertThatThrownBy(() -> table.decodeValue(cut)).isInstanceOf(RuntimeException.class);
    }
  }
}
