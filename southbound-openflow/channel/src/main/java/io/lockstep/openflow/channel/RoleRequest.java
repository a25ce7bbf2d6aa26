package io.lockstep.openflow.channel;

import io.lockstep.core.southbound.SwitchConnection.RoleOutcome;
import io.lockstep.core.southbound.SwitchConnection.SwitchRole;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.projectfloodlight.openflow.protocol.OFControllerRole;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFRoleReply;

/**
 * A role request (OpenFlow 1.3.5 sections 6.3.5 and 7.3.9). When the switch calls the generation id
 * stale, it is asked for its own. Owned by the event loop.
 */
final class RoleRequest implements Request {
  /** What a switch answers that was never told a generation id. */
  private static final long UNDEFINED_GENERATION = -1;

  private final SwitchRole role;
  private final CompletableFuture<RoleOutcome> result;
  private final Consumer<Request> askGeneration;
  private final Consumer<SwitchRole> granted;

  /**
   * A request.
   *
   * @param askGeneration sends a role request without change and hands its answer to the request
   * @param granted told before the result completes
   */
  RoleRequest(
      SwitchRole role,
      CompletableFuture<RoleOutcome> result,
      Consumer<Request> askGeneration,
      Consumer<SwitchRole> granted) {
    this.role = role;
    this.result = result;
    this.askGeneration = askGeneration;
    this.granted = granted;
  }

  static OFControllerRole toWire(SwitchRole role) {
    return switch (role) {
      case MASTER -> OFControllerRole.ROLE_MASTER;
      case SLAVE -> OFControllerRole.ROLE_SLAVE;
      case EQUAL -> OFControllerRole.ROLE_EQUAL;
    };
  }

  @Override
  public boolean onReply(OFMessage reply) {
    if (reply instanceof OFRoleReply roleReply && roleReply.getRole() == toWire(role)) {
      granted.accept(role);
      result.complete(new RoleOutcome.Granted(role, roleReply.getGenerationId().getValue()));
    } else {
      result.complete(new RoleOutcome.Failed("the switch answered " + reply));
    }
    return true;
  }

  @Override
  public void onError(String error) {
    if (error.equals(ErrorText.STALE)) {
      askGeneration.accept(new GenerationQuery());
    } else {
      result.complete(new RoleOutcome.Failed("the switch refused: " + error));
    }
  }

  @Override
  public void onLost(String reason) {
    result.complete(new RoleOutcome.Failed(reason));
  }

  /** Learns the switch's generation id; whatever comes, the outcome is stale. */
  private final class GenerationQuery implements Request {
    @Override
    public boolean onReply(OFMessage reply) {
      stale(
          reply instanceof OFRoleReply roleReply
              ? roleReply.getGenerationId().getValue()
              : UNDEFINED_GENERATION);
      return true;
    }

    @Override
    public void onError(String error) {
      stale(UNDEFINED_GENERATION);
    }

    @Override
    public void onLost(String reason) {
      stale(UNDEFINED_GENERATION);
    }

    private void stale(long generationId) {
      result.complete(new RoleOutcome.Stale(generationId));
    }
  }
}
