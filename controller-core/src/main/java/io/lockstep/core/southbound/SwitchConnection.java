package io.lockstep.core.southbound;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.onosproject.net.DeviceId;
import org.onosproject.net.device.PortDescription;

/**
 * One switch that finished its handshake. Each connection is pinned to one event loop: {@link
 * SwitchObserver} is called there, futures complete there, and {@link #execute} runs there. The
 * methods themselves may be called from any thread and never block. After the connection closed,
 * futures complete with the outcome that says so and sends return false.
 */
public interface SwitchConnection extends Executor {

  /** {@code of:} and the datapath id in 16 hexadecimal digits; one cached object per connection. */
  DeviceId deviceId();

  /** The datapath id. */
  long dpid();

  /** What the switch said of itself. */
  SwitchFeatures features();

  /** What the switch said of its flow tables when it connected. */
  default TableClaims tableClaims() {
    return TableClaims.none("it was not asked");
  }

  /** The ports as last reported, in ascending order of their numbers. */
  List<PortDescription> ports();

  /** A port as last reported; null where there is none. */
  @Nullable PortDescription port(long number);

  /** Whether the connection is open. */
  boolean isOpen();

  /**
   * Runs a task on the connection's event loop; at once where the caller is already there. What the
   * task throws ends the connection.
   */
  @Override
  void execute(Runnable task);

  /**
   * Asks for a role (OpenFlow 1.3.5 section 6.3.4). Where the switch knows no roles the connection
   * keeps it at this end: EQUAL hears the switch's packets and sends nothing that changes it, SLAVE
   * does not hear them either.
   *
   * @param generationId from the mastership epoch; unsigned 64-bit
   */
  CompletableFuture<RoleOutcome> requestRole(SwitchRole role, long generationId);

  /**
   * Stops to act on the switch, for the next master: completes with true when the switch answered a
   * barrier, so all that was sent before is carried out and the next master may begin; with false
   * where it did not answer. Where the switch knows no roles (OpenFlow 1.0), nothing that changes
   * it is sent from now on until {@link #requestRole} is granted MASTER again; its packets are
   * still told, until SLAVE is granted. A switch with roles fences by itself when the next master
   * asks for its role.
   */
  default CompletableFuture<Boolean> standDown() {
    return CompletableFuture.completedFuture(true);
  }

  /**
   * Sends a packet-out; false where it cannot be said in the switch's version of OpenFlow, where
   * the connection may not act, is closed, or its bounded queue is full.
   */
  boolean packetOut(PacketOut packetOut);

  /**
   * Sends flow-mods without waiting; an error that the switch answers is matched to its flow-mod
   * and told to {@link SwitchObserver#flowModFailed}. False where nothing was sent.
   */
  boolean flowMods(List<FlowMod> mods);

  /**
   * Sends flow-mods and a barrier; completes after the barrier reply with one outcome for each, in
   * order.
   */
  CompletableFuture<List<FlowModOutcome>> flowModsConfirmed(List<FlowMod> mods);

  /**
   * Sends group-mods and a barrier; completes after the barrier reply with one outcome for each, in
   * order.
   */
  default CompletableFuture<List<FlowModOutcome>> groupModsConfirmed(List<GroupMod> mods) {
    FlowModOutcome unsent = new FlowModOutcome.Unknown("this connection writes no groups");
    return CompletableFuture.completedFuture(mods.stream().map(mod -> unsent).toList());
  }

  /** Reads the groups that lead to one port; others are left out. */
  default CompletableFuture<Answer<List<PortGroup>>> portGroups() {
    return CompletableFuture.completedFuture(new Answer.None<>("this connection reads no groups"));
  }

  /** Reads all flow entries of all tables. */
  CompletableFuture<Answer<List<FlowStats>>> flowStats();

  /**
   * Reads the flow entries that a delete would take away: by match, by output, and by cookie where
   * the switch can select by it. The answer may hold others.
   *
   * @param delete a {@link FlowMod.Operation#DELETE}; it is not sent
   */
  default CompletableFuture<Answer<List<FlowStats>>> flowStats(FlowMod delete) {
    return flowStats();
  }

  /**
   * Asks the switch for a sign of life, an echo, in any role of this node. Completes with false
   * where it does not answer within the channel's deadline of a second or so, or is not connected.
   */
  default CompletableFuture<Boolean> probe() {
    return CompletableFuture.completedFuture(isOpen());
  }

  /** Reads the table statistics. */
  CompletableFuture<Answer<List<TableStats>>> tableStats();

  /** Reads the counters of all ports. */
  default CompletableFuture<Answer<List<PortStats>>> portStats() {
    return CompletableFuture.completedFuture(
        new Answer.None<>("this connection reads no port statistics"));
  }

  /** Closes the connection; the reason goes to the log and to the observer. */
  void close(String reason);

  /** A role a controller can have. */
  enum SwitchRole {
    MASTER,
    SLAVE,
    EQUAL
  }

  /** The outcome of a role request. */
  sealed interface RoleOutcome {
    /** The switch took it. */
    record Granted(SwitchRole role, long generationId) implements RoleOutcome {}

    /**
     * The switch knows a newer generation; {@code switchGenerationId} is -1 where it did not say.
     */
    record Stale(long switchGenerationId) implements RoleOutcome {}

    /** Refused for another reason, not supported, timed out or the connection closed. */
    record Failed(String reason) implements RoleOutcome {}
  }

  /** The outcome of one flow-mod. */
  sealed interface FlowModOutcome {
    /** The kinds of outcomes, for a switch expression: it does not compile without each. */
    enum Kind {
      INSTALLED,
      REFUSED,
      UNKNOWN
    }

    /** The kind of this outcome. */
    Kind kind();

    /** The error or the reason; empty for a flow-mod that is installed. */
    String why();

    /** The switch executed it before it answered the barrier. */
    record Installed() implements FlowModOutcome {
      @Override
      public Kind kind() {
        return Kind.INSTALLED;
      }

      @Override
      public String why() {
        return "";
      }
    }

    /**
     * The switch answered with an error, readable, for example {@code FLOW_MOD_FAILED/TABLE_FULL}.
     */
    record Refused(String error) implements FlowModOutcome {
      @Override
      public Kind kind() {
        return Kind.REFUSED;
      }

      @Override
      public String why() {
        return error;
      }
    }

    /** No barrier reply: it may or may not have been executed. */
    record Unknown(String reason) implements FlowModOutcome {
      @Override
      public Kind kind() {
        return Kind.UNKNOWN;
      }

      @Override
      public String why() {
        return reason;
      }
    }
  }

  /** The answer to a question that can fail. */
  sealed interface Answer<T> {
    /** What the switch said. */
    record Of<T>(T value) implements Answer<T> {}

    /** It said an error or nothing. */
    record None<T>(String reason) implements Answer<T> {}

    /** Why the switch gave no answer, for messages; empty where it gave one. */
    default String whyNone() {
      return this instanceof None<T> none ? none.reason() : "";
    }
  }
}
