package io.lockstep.openflow.channel;

import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.FlowStats;
import io.lockstep.core.southbound.PortStats;
import io.lockstep.core.southbound.SwitchConnection.Answer;
import io.lockstep.core.southbound.SwitchConnection.RoleOutcome;
import io.lockstep.core.southbound.SwitchConnection.SwitchRole;
import io.lockstep.core.southbound.TableStats;
import io.lockstep.openflow.channel.ConnectionLog.Severity;
import io.lockstep.openflow.channel.translate.Dialect;
import io.lockstep.openflow.channel.translate.PortStatsTranslation;
import io.lockstep.openflow.channel.translate.UntranslatableException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.onosproject.net.DeviceId;
import org.projectfloodlight.openflow.protocol.OFControllerRole;
import org.projectfloodlight.openflow.protocol.OFEchoRequest;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFFlowStatsEntry;
import org.projectfloodlight.openflow.protocol.OFFlowStatsReply;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFPortStatsReply;
import org.projectfloodlight.openflow.protocol.OFTableStatsReply;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.U64;

/**
 * The questions that one switch is asked, and their answers. Every question has a deadline and
 * their number is bounded. Owned by the event loop.
 */
final class SwitchRequests {
  /** Tables have the numbers 0 to {@code OFPTT_MAX} (OpenFlow 1.3.5 section 7.3.4.1). */
  private static final int MAX_TABLES = 255;

  private final ServerRoom room;
  private final Peer peer;
  private final Dialect dialect;
  private final OFFactory factory;
  private final DeviceId deviceId;
  private final PendingRequests pending;

  private SwitchRole role = SwitchRole.EQUAL;
  private @Nullable CompletableFuture<Boolean> probe;

  SwitchRequests(ServerRoom room, Peer peer, Dialect dialect, DeviceId deviceId) {
    this.room = room;
    this.peer = peer;
    this.dialect = dialect;
    this.factory = dialect.factory();
    this.deviceId = deviceId;
    this.pending = new PendingRequests(room.config().maxPendingRequests());
  }

  /** Asks for a role. */
  void role(SwitchRole wanted, long generationId, CompletableFuture<RoleOutcome> result) {
    Request request =
        new RoleRequest(
            wanted,
            result,
            query -> askRole(OFControllerRole.ROLE_NOCHANGE, 0, query),
            granted -> role = granted);
    askRole(RoleRequest.toWire(wanted), generationId, request);
  }

  private void askRole(OFControllerRole wanted, long generationId, Request request) {
    long xid = newXid();
    OFMessage message =
        factory
            .buildRoleRequest()
            .setXid(xid)
            .setRole(wanted)
            .setGenerationId(U64.of(generationId))
            .build();
    ask(message, request, "role reply");
  }

  /** Sends a barrier that confirms what was sent before. */
  void barrier(Request confirmed) {
    ask(factory.buildBarrierRequest().setXid(newXid()).build(), confirmed, "barrier reply");
  }

  /** The same, which is given up as soon as a probe is: a switch with roles needs no fence. */
  void quickBarrier(Request confirmed) {
    OFMessage message = factory.buildBarrierRequest().setXid(newXid()).build();
    ask(message, confirmed, "barrier reply", room.config().probeTimeoutMillis());
  }

  /** Reads all flow entries of all tables. */
  void flowStats(CompletableFuture<Answer<List<FlowStats>>> result) {
    ask(dialect.flowStatsRequest(newXid()), flowStatsInto(result), "flow statistics");
  }

  /** Reads the flow entries that a delete selects; OpenFlow 1.0 leaves its cookie out. */
  void flowStats(FlowMod delete, CompletableFuture<Answer<List<FlowStats>>> result) {
    try {
      ask(dialect.flowStatsRequest(delete, newXid()), flowStatsInto(result), "flow statistics");
    } catch (UntranslatableException e) {
      result.complete(new Answer.None<>(String.valueOf(e.getMessage())));
    }
  }

  private Request flowStatsInto(CompletableFuture<Answer<List<FlowStats>>> result) {
    return new StatsRequest<>(
        OFFlowStatsReply.class, this::append, room.config().maxStatsEntries(), result);
  }

  /**
   * Entries whose match onos-api cannot express are left out. They cannot be this controller's,
   * which only installs what it can read back: others can change what an entry does, not its match.
   */
  private void append(OFFlowStatsReply part, List<FlowStats> flows) {
    for (OFFlowStatsEntry entry : part.getEntries()) {
      try {
        flows.add(dialect.flowStats(entry));
      } catch (UntranslatableException e) {
        room.log()
            .report(
                Severity.INFO,
                peer.host(),
                deviceId + " has a flow that is not this controller's: " + e.getMessage(),
                null);
      }
    }
  }

  /** Reads the table statistics. */
  void tableStats(CompletableFuture<Answer<List<TableStats>>> result) {
    Request request =
        new StatsRequest<>(
            OFTableStatsReply.class,
            SwitchRequests::append,
            Math.min(MAX_TABLES, room.config().maxStatsEntries()),
            result);
    ask(factory.buildTableStatsRequest().setXid(newXid()).build(), request, "table statistics");
  }

  /** Reads the counters of all ports. */
  void portStats(CompletableFuture<Answer<List<PortStats>>> result) {
    Request request =
        new StatsRequest<>(
            OFPortStatsReply.class,
            (part, ports) ->
                part.getEntries().forEach(entry -> ports.add(PortStatsTranslation.toStats(entry))),
            room.config().maxPorts(),
            result);
    ask(
        factory.buildPortStatsRequest().setXid(newXid()).setPortNo(OFPort.ANY).build(),
        request,
        "port statistics");
  }

  private static void append(OFTableStatsReply part, List<TableStats> tables) {
    part.getEntries()
        .forEach(
            entry ->
                tables.add(
                    new TableStats(
                        entry.getTableId().getValue(),
                        entry.getActiveCount(),
                        entry.getLookupCount().getValue(),
                        entry.getMatchedCount().getValue())));
  }

  /** Whether the switch answers an echo before the probe's deadline; one probe at a time. */
  CompletableFuture<Boolean> probe() {
    CompletableFuture<Boolean> running = probe;
    if (running == null || running.isDone()) {
      running = new CompletableFuture<>();
      probe = running;
      ask(echo(), new EchoProbe(running), "echo reply", room.config().probeTimeoutMillis());
    }
    return running;
  }

  /** Sends an echo that only shows life. */
  void sendEcho() {
    peer.write(echo());
  }

  /** Shows the switch that this end lives. */
  void answerEcho(OFEchoRequest asked) {
    peer.write(factory.buildEchoReply().setXid(asked.getXid()).setData(asked.getData()).build());
  }

  private OFMessage echo() {
    return factory.buildEchoRequest().setXid(newXid()).setData(new byte[0]).build();
  }

  long newXid() {
    return Integer.toUnsignedLong(peer.newXid());
  }

  /** Sends a question; its request is lost at once where nothing can be asked now. */
  void ask(OFMessage message, Request request, String what) {
    ask(message, request, what, room.config().requestTimeoutMillis());
  }

  private void ask(OFMessage message, Request request, String what, int timeoutMillis) {
    String obstacle = obstacle();
    if (obstacle != null) {
      request.onLost(obstacle);
      return;
    }
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    pending.add((int) message.getXid(), request, what, deadline);
    peer.write(message);
  }

  /** Why nothing can be asked now, or null. */
  @Nullable String obstacle() {
    if (!peer.isOpen()) {
      return peer.whyNotSent();
    }
    return pending.hasRoom()
        ? null
        : "not sent: " + room.config().maxPendingRequests() + " requests are unanswered";
  }

  /** Hands a reply to the request it answers; one that nobody waits for is late and dropped. */
  void reply(OFMessage message) {
    pending.reply((int) message.getXid(), message);
  }

  /** Hands an error to the request it is about; false where there is none. */
  boolean error(int xid, String error) {
    return pending.error(xid, error);
  }

  /** The switch takes us for a slave; false where we knew. */
  boolean demote() {
    boolean news = role != SwitchRole.SLAVE;
    role = SwitchRole.SLAVE;
    return news;
  }

  void expire(long nowNanos) {
    pending.expire(nowNanos);
  }

  void loseAll(String reason) {
    pending.loseAll(reason);
  }
}
