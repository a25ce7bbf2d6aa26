package io.lockstep.openflow.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.southbound.SwitchConnection.RoleOutcome;
import io.lockstep.core.southbound.SwitchConnection.SwitchRole;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.projectfloodlight.openflow.protocol.OFControllerRole;
import org.projectfloodlight.openflow.protocol.OFFactories;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFVersion;
import org.projectfloodlight.openflow.types.U64;

/** Which answers to a role request grant the role (OpenFlow 1.3.5 section 7.3.9). */
class RoleRequestTest {
  private static final OFFactory OF13 = OFFactories.getFactory(OFVersion.OF_13);

  private final CompletableFuture<RoleOutcome> result = new CompletableFuture<>();
  private final List<Request> queries = new ArrayList<>();
  private final List<SwitchRole> granted = new ArrayList<>();

  private RoleRequest request(SwitchRole role) {
    return new RoleRequest(role, result, queries::add, granted::add);
  }

  private static OFMessage reply(OFControllerRole role) {
    return OF13.buildRoleReply().setRole(role).setGenerationId(U64.of(5)).build();
  }

  @ParameterizedTest
  @EnumSource(SwitchRole.class)
  void roleThatTheSwitchNamesIsGranted(SwitchRole role) {
    assertThat(request(role).onReply(reply(RoleRequest.toWire(role)))).isTrue();
    assertThat(result).isCompletedWithValue(new RoleOutcome.Granted(role, 5));
    assertThat(granted).containsExactly(role);
  }

  @ParameterizedTest
  @EnumSource(value = OFControllerRole.class, names = "ROLE_MASTER", mode = EnumSource.Mode.EXCLUDE)
  void replyWithAnotherRoleGrantsNothing(OFControllerRole role) {
    assertThat(request(SwitchRole.MASTER).onReply(reply(role))).isTrue();
    assertThat(result.join()).isInstanceOf(RoleOutcome.Failed.class);
    assertThat(granted).isEmpty();
  }

  @Test
  void replyOfAnotherTypeGrantsNothing() {
    request(SwitchRole.SLAVE).onReply(OF13.barrierReply());
    assertThat(result.join()).isInstanceOf(RoleOutcome.Failed.class);
    assertThat(granted).isEmpty();
  }

  @Test
  void staleRequestAsksForTheGenerationOfTheSwitch() {
    request(SwitchRole.MASTER).onError(ErrorText.STALE);
    assertThat(result).isNotDone();
    queries.get(0).onReply(reply(OFControllerRole.ROLE_EQUAL));
    assertThat(result).isCompletedWithValue(new RoleOutcome.Stale(5));
    assertThat(granted).isEmpty();
  }
}
