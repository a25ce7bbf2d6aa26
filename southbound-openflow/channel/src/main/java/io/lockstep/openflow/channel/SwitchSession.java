package io.lockstep.openflow.channel;

import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.FlowStats;
import io.lockstep.core.southbound.PacketOut;
import io.lockstep.core.southbound.SwitchConnection;
import io.lockstep.core.southbound.SwitchFeatures;
import io.lockstep.core.southbound.TableStats;
import io.lockstep.openflow.channel.ConnectionLog.Severity;
import io.lockstep.openflow.channel.translate.FlowTranslation;
import io.lockstep.openflow.channel.translate.PacketOutWriter;
import io.lockstep.openflow.channel.translate.UntranslatableException;
import io.netty.channel.Channel;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.onosproject.net.DeviceId;
import org.onosproject.net.device.PortDescription;
import org.projectfloodlight.openflow.protocol.OFControllerRole;
import org.projectfloodlight.openflow.protocol.OFEchoRequest;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFFlowStatsEntry;
import org.projectfloodlight.openflow.protocol.OFFlowStatsReply;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFTableStatsReply;
import org.projectfloodlight.openflow.types.OFGroup;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.TableId;
import org.projectfloodlight.openflow.types.U64;

/**
 * A switch behind its handshake, as the node uses it. State belongs to the event loop; calls from
 * other threads are handed over, at most {@link #MAX_HANDOFFS} at a time, and refused beyond that.
 * Nothing is kept back: what is sent leaves under the role the switch has given by then.
 */
final class SwitchSession implements SwitchConnection {
  /** Calls from other threads that the event loop has not come to yet. */
  static final int MAX_HANDOFFS = 4096;

  private final ServerRoom room;
  private final Peer peer;
  private final Channel channel;
  private final OFFactory factory;
  private final long dpid;
  private final DeviceId deviceId;
  private final SwitchFeatures features;
  private final PortTable ports;
  private final PendingRequests pending;
  private final FlowModSender flowMods;
  private final AtomicInteger handoffs = new AtomicInteger();
  private final CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();

  private SwitchRole role = SwitchRole.EQUAL;
  private @Nullable CompletableFuture<Boolean> probe;

  SwitchSession(
      ServerRoom room,
      Peer peer,
      OFFactory factory,
      long dpid,
      SwitchFeatures features,
      PortTable ports) {
    this.room = room;
    this.peer = peer;
    this.channel = peer.channel();
    this.factory = factory;
    this.dpid = dpid;
    this.deviceId = deviceIdOf(dpid);
    this.features = features;
    this.ports = ports;
    this.pending = new PendingRequests(room.config().maxPendingRequests());
    this.flowMods = new FlowModSender(peer, factory);
  }

  static DeviceId deviceIdOf(long dpid) {
    return DeviceId.deviceId(String.format("of:%016x", dpid));
  }

  @Override
  public DeviceId deviceId() {
    return deviceId;
  }

  @Override
  public long dpid() {
    return dpid;
  }

  @Override
  public SwitchFeatures features() {
    return features;
  }

  @Override
  public List<PortDescription> ports() {
    return ports.ports();
  }

  @Override
  public boolean isOpen() {
    return channel.isActive() && !peer.isClosing();
  }

  /** {@inheritDoc} After the server stopped, tasks from other threads are dropped. */
  @Override
  public void execute(Runnable task) {
    if (channel.eventLoop().inEventLoop()) {
      guarded(task);
    } else if (!channel.eventLoop().isShuttingDown()) {
      try {
        channel.eventLoop().execute(() -> guarded(task));
      } catch (RejectedExecutionException e) {
        // The server stopped between the check and the call: the same as after it stopped.
        return;
      }
    }
  }

  /** Runs code of the node; what it throws ends this connection and nothing else. */
  void guarded(Runnable call) {
    try {
      call.run();
    } catch (RuntimeException e) {
      peer.close(Severity.WARN, "the node failed on this switch: " + e, e);
    }
  }

  /** Runs on the event loop; false where too much waits for it already. */
  private boolean onLoop(Runnable task) {
    if (channel.eventLoop().inEventLoop()) {
      task.run();
      return true;
    }
    if (handoffs.incrementAndGet() > MAX_HANDOFFS || channel.eventLoop().isShuttingDown()) {
      handoffs.decrementAndGet();
      return false;
    }
    try {
      channel
          .eventLoop()
          .execute(
              () -> {
                handoffs.decrementAndGet();
                task.run();
              });
      return true;
    } catch (RejectedExecutionException e) {
      return false;
    }
  }

  @Override
  public CompletableFuture<RoleOutcome> requestRole(SwitchRole wanted, long generationId) {
    CompletableFuture<RoleOutcome> result = new CompletableFuture<>();
    Request request =
        new RoleRequest(
            wanted,
            result,
            query -> askRole(OFControllerRole.ROLE_NOCHANGE, 0, query),
            granted -> role = granted);
    if (!onLoop(() -> askRole(RoleRequest.toWire(wanted), generationId, request))) {
      request.onLost(whyNotSent());
    }
    return result;
  }

  private void askRole(OFControllerRole wanted, long generationId, Request request) {
    int xid = peer.newXid();
    ask(
        xid,
        factory
            .buildRoleRequest()
            .setXid(Integer.toUnsignedLong(xid))
            .setRole(wanted)
            .setGenerationId(U64.of(generationId))
            .build(),
        request,
        "role reply",
        room.config().requestTimeoutMillis());
  }

  private void ask(int xid, Object message, Request request, String what, int timeoutMillis) {
    if (!isOpen()) {
      request.onLost(whyNotSent());
    } else if (!pending.hasRoom()) {
      request.onLost(room.config().maxPendingRequests() + " requests are unanswered");
    } else {
      long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
      pending.add(xid, request, what, deadline);
      peer.write(message);
    }
  }

  private String whyNotSent() {
    return isOpen()
        ? "not sent: too much is queued for this switch"
        : "not sent: the connection is closed: " + peer.closing().reason();
  }

  @Override
  public boolean packetOut(PacketOut packetOut) {
    if (!channel.isWritable() || !isOpen()) {
      return false;
    }
    if (channel.eventLoop().inEventLoop()) {
      peer.write(PacketOutWriter.write13(packetOut, peer.newXid(), channel.alloc()));
      return true;
    }
    return onLoop(
        () -> peer.write(PacketOutWriter.write13(packetOut, peer.newXid(), channel.alloc())));
  }

  /** {@inheritDoc} At most {@link FlowModSender#MAX_BATCH} of them. */
  @Override
  public boolean flowMods(List<FlowMod> mods) {
    FlowModSender.checkBatch(mods);
    List<FlowMod> copy = List.copyOf(mods);
    return channel.isWritable()
        && isOpen()
        && onLoop(
            () ->
                flowMods.send(
                    copy,
                    (mod, error) ->
                        channel
                            .eventLoop()
                            .execute(
                                () ->
                                    guarded(
                                        () -> room.observer().flowModFailed(this, mod, error)))));
  }

  /** {@inheritDoc} At most {@link FlowModSender#MAX_BATCH} of them. */
  @Override
  public CompletableFuture<List<FlowModOutcome>> flowModsConfirmed(List<FlowMod> mods) {
    FlowModSender.checkBatch(mods);
    List<FlowMod> copy = List.copyOf(mods);
    CompletableFuture<List<FlowModOutcome>> result = new CompletableFuture<>();
    if (!channel.isWritable() || !isOpen() || !onLoop(() -> sendConfirmed(copy, result))) {
      List<FlowModOutcome> unsent =
          copy.stream().<FlowModOutcome>map(m -> new FlowModOutcome.Unknown(whyNotSent())).toList();
      result.complete(unsent);
    }
    return result;
  }

  private void sendConfirmed(List<FlowMod> mods, CompletableFuture<List<FlowModOutcome>> result) {
    if (!isOpen() || !pending.hasRoom()) {
      new ConfirmedFlowMods(0, mods.size(), result, () -> {}).onLost(whyNotSent());
      return;
    }
    ConfirmedFlowMods batch = flowMods.sendConfirmed(mods, result);
    int xid = peer.newXid();
    ask(
        xid,
        factory.buildBarrierRequest().setXid(Integer.toUnsignedLong(xid)).build(),
        batch,
        "barrier reply",
        room.config().requestTimeoutMillis());
  }

  @Override
  public CompletableFuture<Answer<List<FlowStats>>> flowStats() {
    CompletableFuture<Answer<List<FlowStats>>> result = new CompletableFuture<>();
    Request request =
        new StatsRequest<>(
            OFFlowStatsReply.class, this::appendFlows, room.config().maxStatsEntries(), result);
    askStats(
        xid ->
            factory
                .buildFlowStatsRequest()
                .setXid(xid)
                .setTableId(TableId.ALL)
                .setOutPort(OFPort.ANY)
                .setOutGroup(OFGroup.ANY)
                .setMatch(factory.matchWildcardAll())
                .build(),
        request,
        "flow statistics");
    return result;
  }

  /**
   * Entries that onos-api cannot say are left out: they cannot be this controller's, which only
   * installs what it can read back.
   */
  private void appendFlows(OFFlowStatsReply part, List<FlowStats> flows) {
    for (OFFlowStatsEntry entry : part.getEntries()) {
      try {
        flows.add(FlowTranslation.toStats(entry));
      } catch (UntranslatableException e) {
        room.log()
            .report(
                Severity.INFO,
                peer.host(),
                deviceId + " has a flow that is not this controller's: " + e.getMessage(),
                null,
                System.nanoTime());
      }
    }
  }

  @Override
  public CompletableFuture<Answer<List<TableStats>>> tableStats() {
    CompletableFuture<Answer<List<TableStats>>> result = new CompletableFuture<>();
    Request request =
        new StatsRequest<>(
            OFTableStatsReply.class,
            (part, tables) ->
                part.getEntries()
                    .forEach(
                        entry ->
                            tables.add(
                                new TableStats(
                                    entry.getTableId().getValue(),
                                    entry.getActiveCount(),
                                    entry.getLookupCount().getValue(),
                                    entry.getMatchedCount().getValue()))),
            room.config().maxStatsEntries(),
            result);
    askStats(
        xid -> factory.buildTableStatsRequest().setXid(xid).build(), request, "table statistics");
    return result;
  }

  /** Makes a message with a transaction id. */
  private interface Draft {
    OFMessage withXid(long xid);
  }

  private void askStats(Draft draft, Request request, String what) {
    boolean handedOver =
        onLoop(
            () -> {
              int xid = peer.newXid();
              OFMessage message = draft.withXid(Integer.toUnsignedLong(xid));
              ask(xid, message, request, what, room.config().requestTimeoutMillis());
            });
    if (!handedOver) {
      request.onLost(whyNotSent());
    }
  }

  @Override
  public void close(String reason) {
    peer.close(Severity.INFO, reason);
  }

  /** Whether the switch answers an echo before the probe's deadline; from any thread. */
  CompletableFuture<Boolean> probe() {
    CompletableFuture<Boolean> alive = new CompletableFuture<>();
    if (channel.eventLoop().isShuttingDown()) {
      alive.complete(false);
      return alive;
    }
    channel
        .eventLoop()
        .execute(
            () -> {
              CompletableFuture<Boolean> running = probe;
              if (running == null || running.isDone()) {
                running = new CompletableFuture<>();
                probe = running;
                int xid = peer.newXid();
                ask(
                    xid,
                    echoRequest(xid),
                    new EchoProbe(running),
                    "echo reply",
                    room.config().probeTimeoutMillis());
              }
              running.thenAccept(alive::complete);
            });
    return alive;
  }

  /** Completes after the observer heard of the end; on the event loop. */
  CompletableFuture<@Nullable Void> ended() {
    return ended;
  }

  String remoteAddress() {
    return peer.name();
  }

  // What follows is for the handlers of this connection, on its event loop.

  PortTable portTable() {
    return ports;
  }

  private OFMessage echoRequest(int xid) {
    return factory
        .buildEchoRequest()
        .setXid(Integer.toUnsignedLong(xid))
        .setData(new byte[0])
        .build();
  }

  void sendEcho() {
    peer.write(echoRequest(peer.newXid()));
  }

  void answerEcho(OFEchoRequest request) {
    peer.write(
        factory.buildEchoReply().setXid(request.getXid()).setData(request.getData()).build());
  }

  void reply(OFMessage message) {
    pending.reply((int) message.getXid(), message);
  }

  /** Hands an error to the request or confirmed flow-mod it is about; false where there is none. */
  boolean failRequest(int xid, String error) {
    return pending.error(xid, error) || flowMods.refuse(xid, error);
  }

  @Nullable FlowMod takeRecent(int xid) {
    return flowMods.takeRecent(xid);
  }

  void expireRequests(long nowNanos) {
    pending.expire(nowNanos);
  }

  /** The switch takes us for a slave; false where we knew. */
  boolean demote() {
    boolean news = role != SwitchRole.SLAVE;
    role = SwitchRole.SLAVE;
    return news;
  }

  /** The connection is gone: ends requests, tells the observer, frees the datapath id. */
  void end(String reason) {
    pending.loseAll("the connection ended: " + reason);
    guarded(() -> room.observer().disconnected(this, reason));
    room.registry().remove(this);
    ended.complete(null);
  }

  /** The connection ended before the observer knew of it. */
  void neverBegan() {
    ended.complete(null);
  }
}
