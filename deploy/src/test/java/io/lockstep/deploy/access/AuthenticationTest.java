package io.lockstep.deploy.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.access.Role;
import io.lockstep.core.access.Token;
import io.lockstep.core.access.User;
import io.lockstep.deploy.access.Authentication.Outcome;
import io.lockstep.keys.PeerIdentity;
import io.lockstep.keys.PeerRole;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AuthenticationTest {
  private static final Token TOKEN = Token.generate("carol", new SecureRandom());
  private static final Requester CAROL = new Requester("carol", Role.OPERATE);
  private static final PeerIdentity DAVE = certificate(PeerRole.READ, "dave");

  private final Authentication authentication =
      new Authentication(
          token ->
              token.equals(TOKEN)
                  ? Optional.of(new User("carol", Role.OPERATE, TOKEN.digest(), 1))
                  : Optional.empty());

  private Outcome of(@Nullable PeerIdentity certified, boolean loopback, String... headers) {
    return authentication.of(List.of(headers), certified, loopback);
  }

  private static PeerIdentity certificate(PeerRole role, String name) {
    Instant now = Instant.EPOCH;
    return new PeerIdentity("lab", role, name, List.of(), BigInteger.ONE, now, now);
  }

  @Test
  void certificateOfANodeOrSwitchIsNoPersons() {
    for (PeerRole role : List.of(PeerRole.NODE, PeerRole.SWITCH)) {
      assertThat(of(certificate(role, "n1"), false))
          .isInstanceOfSatisfying(
              Outcome.Refused.class,
              refused -> assertThat(refused.reason()).isEqualTo(AdminRefusal.WRONG_ROLE));
    }
    assertThat(of(certificate(PeerRole.ADMIN, "eve"), false))
        .isEqualTo(new Outcome.Known(new Requester("eve", Role.ADMIN)));
  }

  private static String basic(String pair) {
    return "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void bearerOfATokenIsItsUser() {
    assertThat(of(null, false, "Bearer " + TOKEN.text())).isEqualTo(new Outcome.Known(CAROL));
    assertThat(of(null, false, "bearer   " + TOKEN.text())).isEqualTo(new Outcome.Known(CAROL));
  }

  @Test
  void basicTakesTheSecretOrTheWholeToken() {
    assertThat(of(null, false, basic("carol:" + TOKEN.secret())))
        .isEqualTo(new Outcome.Known(CAROL));
    assertThat(of(null, false, basic("carol:" + TOKEN.text()))).isEqualTo(new Outcome.Known(CAROL));
    assertThat(of(null, false, basic("dave:" + TOKEN.text()))).isInstanceOf(Outcome.Refused.class);
  }

  @Test
  void wrongTokenIsNobodyEvenOverLoopbackOrWithACertificate() {
    String other = Token.generate("carol", new SecureRandom()).text();
    for (String header :
        List.of(
            "Bearer " + other,
            "Bearer",
            "Bearer ",
            "Basic",
            "Basic !!!",
            basic("carol"),
            basic(":"),
            basic("carol:"),
            "Digest x",
            "",
            TOKEN.text())) {
      assertThat(of(DAVE, true, header)).as(header).isInstanceOf(Outcome.Refused.class);
    }
    assertThat(of(DAVE, true, "Bearer " + TOKEN.text(), "Bearer " + TOKEN.text()))
        .isInstanceOf(Outcome.Refused.class);
  }

  @Test
  void withoutATokenTheCertificateCountsThenLoopback() {
    assertThat(of(DAVE, true)).isEqualTo(new Outcome.Known(new Requester("dave", Role.READ)));
    assertThat(of(null, true)).isEqualTo(new Outcome.Known(Requester.LOCAL));
    assertThat(of(null, false)).isInstanceOf(Outcome.Refused.class);
  }

  @Test
  void readingNeedsLessThanChanging() {
    assertThat(RequiredRole.of("GET", "/api/v1/switches")).contains(Role.READ);
    assertThat(RequiredRole.of("HEAD", "/metrics")).contains(Role.READ);
    assertThat(RequiredRole.of("GET", "/no/such/path")).contains(Role.READ);
    assertThat(RequiredRole.of("PUT", "/api/v1/vips/a")).contains(Role.OPERATE);
    assertThat(RequiredRole.of("POST", "/api/v1/domain-map")).contains(Role.OPERATE);
    assertThat(RequiredRole.of("PUT", "/api/v1/replacements/n3")).contains(Role.ADMIN);
    assertThat(RequiredRole.of("PUT", "/api/v1/nodes/n3/replacement")).contains(Role.ADMIN);
    assertThat(RequiredRole.of("PUT", "/api/v1/nodes/n3/drain")).contains(Role.OPERATE);
    assertThat(RequiredRole.of("DELETE", "/api/v1/recording")).contains(Role.ADMIN);
    assertThat(RequiredRole.of("GET", "/api/v1/recording")).contains(Role.READ);
    assertThat(RequiredRole.of("GET", "/api/v1/users")).contains(Role.ADMIN);
    assertThat(RequiredRole.of("GET", "/api/v1/users/carol")).contains(Role.ADMIN);
    assertThat(RequiredRole.of("PUT", "/api/v1/users/carol")).contains(Role.ADMIN);
    assertThat(RequiredRole.of("PUT", "/api/v1/nodes/carol/user")).contains(Role.ADMIN);
    assertThat(RequiredRole.of("GET", "/api/v1/nodes/carol/user")).contains(Role.ADMIN);
    assertThat(RequiredRole.of("PUT", "/api/v1/userspace")).contains(Role.OPERATE);
    assertThat(RequiredRole.of("GET", "/health/ready")).isEmpty();
    assertThat(RequiredRole.of("POST", "/health/ready")).contains(Role.OPERATE);
  }
}
