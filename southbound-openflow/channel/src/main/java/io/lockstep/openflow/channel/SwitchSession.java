package io.lockstep.openflow.channel;

import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.FlowStats;
import io.lockstep.core.southbound.GroupMod;
import io.lockstep.core.southbound.PacketOut;
import io.lockstep.core.southbound.PortGroup;
import io.lockstep.core.southbound.PortStats;
import io.lockstep.core.southbound.SwitchConnection;
import io.lockstep.core.southbound.SwitchErrors;
import io.lockstep.core.southbound.SwitchFeatures;
import io.lockstep.core.southbound.TableClaims;
import io.lockstep.core.southbound.TableStats;
import io.lockstep.core.state.Continuations;
import io.lockstep.openflow.channel.ConnectionLog.Severity;
import io.lockstep.openflow.channel.translate.Dialect;
import io.netty.channel.EventLoop;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.onosproject.net.DeviceId;
import org.onosproject.net.device.PortDescription;

/**
 * A switch behind its handshake, as the node uses it. State belongs to the event loop; calls from
 * other threads are handed over, at most {@link Peer#MAX_HANDOFFS} at a time, and refused beyond
 * that. Nothing is kept back: what is sent leaves under the role the switch has given by then.
 */
final class SwitchSession implements SwitchConnection {
  private final ServerRoom room;
  private final Peer peer;
  private final EventLoop loop;
  private final Dialect dialect;
  private final long dpid;
  private final DeviceId deviceId;
  private final SwitchFeatures features;
  private final TableClaims tableClaims;
  private final PortTable ports;
  private final SwitchRequests requests;
  private final GroupRequests groups;
  private final FlowModSender flowMods;
  private final FlowModRefusals refusals;

  /** Not null where the switch's deletes know no cookies. */
  private final @Nullable CookieDeletes cookieDeletes;

  /** Not null where the switch knows no roles. */
  private final @Nullable LocalRole localRole;

  private final CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();

  SwitchSession(
      ServerRoom room,
      Peer peer,
      Dialect dialect,
      long dpid,
      SwitchFeatures features,
      TableClaims tableClaims,
      PortTable ports) {
    this.room = room;
    this.peer = peer;
    this.loop = peer.channel().eventLoop();
    this.dialect = dialect;
    this.dpid = dpid;
    this.deviceId = deviceIdOf(dpid);
    this.features = features;
    this.tableClaims = tableClaims;
    this.ports = ports;
    this.requests = new SwitchRequests(room, peer, dialect, deviceId);
    this.groups =
        new GroupRequests(peer, dialect, requests, room.config().maxStatsEntries(), this::acts);
    this.flowMods = new FlowModSender(peer, dialect);
    this.refusals = new FlowModRefusals(room, peer, this);
    this.cookieDeletes = dialect.deletesByCookie() ? null : new CookieDeletes(this, new ToSwitch());
    this.localRole = dialect.hasRoles() ? null : new LocalRole(this::later, requests::barrier);
  }

  private void later(int millis, Runnable task) {
    Future<?> unused = loop.schedule(() -> peer.guarded(task), millis, TimeUnit.MILLISECONDS);
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
  public TableClaims tableClaims() {
    return tableClaims;
  }

  @Override
  public List<PortDescription> ports() {
    return ports.ports();
  }

  @Override
  public @Nullable PortDescription port(long number) {
    return ports.port(number);
  }

  @Override
  public boolean isOpen() {
    return peer.isOpen();
  }

  /** {@inheritDoc} After the server stopped, tasks from other threads are dropped. */
  @Override
  public void execute(Runnable task) {
    if (loop.inEventLoop()) {
      peer.guarded(task);
    } else if (!loop.isShuttingDown()) {
      try {
        loop.execute(() -> peer.guarded(task));
      } catch (RejectedExecutionException e) {
        // The server stopped between the check and the call: the same as after it stopped.
        return;
      }
    }
  }

  /** Runs a send now, or behind the deletes that go step by step; false where too many wait. */
  private boolean inOrder(Runnable send) {
    CookieDeletes deletes = cookieDeletes;
    if (deletes == null) {
      send.run();
      return true;
    }
    return deletes.inOrder(send);
  }

  @Override
  public CompletableFuture<RoleOutcome> requestRole(SwitchRole wanted, long generationId) {
    CompletableFuture<RoleOutcome> result = new CompletableFuture<>();
    LocalRole local = localRole;
    Runnable ask =
        local == null
            ? () -> requests.role(wanted, generationId, result)
            : () -> local.request(wanted, generationId, result);
    if (!peer.onLoop(ask)) {
      result.complete(new RoleOutcome.Failed(peer.whyNotSent()));
    }
    return result;
  }

  @Override
  public CompletableFuture<Boolean> standDown() {
    LocalRole local = localRole;
    CompletableFuture<Boolean> result = new CompletableFuture<>();
    Runnable stop =
        local == null
            ? () -> LocalRole.confirm(requests::quickBarrier, result)
            : () -> local.standDown(result);
    if (!peer.onLoop(stop)) {
      result.complete(false);
    }
    return result;
  }

  /** Whether this connection may change the switch, as far as known here. */
  private boolean acts() {
    LocalRole local = localRole;
    return local == null || local.isMaster();
  }

  /** Whether this connection hears the switch's packets, as far as known here. */
  boolean hears() {
    LocalRole local = localRole;
    return local == null || local.hears();
  }

  Dialect dialect() {
    return dialect;
  }

  @Override
  public CompletableFuture<Answer<List<FlowStats>>> flowStats() {
    return ask(requests::flowStats);
  }

  @Override
  public CompletableFuture<Answer<List<FlowStats>>> flowStats(FlowMod delete) {
    return ask(result -> requests.flowStats(delete, result));
  }

  @Override
  public CompletableFuture<Answer<List<TableStats>>> tableStats() {
    return ask(requests::tableStats);
  }

  @Override
  public CompletableFuture<Answer<List<PortStats>>> portStats() {
    return ask(requests::portStats);
  }

  private <T> CompletableFuture<Answer<List<T>>> ask(
      Consumer<CompletableFuture<Answer<List<T>>>> question) {
    CompletableFuture<Answer<List<T>>> result = new CompletableFuture<>();
    if (!peer.onLoop(() -> question.accept(result))) {
      result.complete(new Answer.None<>(peer.whyNotSent()));
    }
    return result;
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException where it exceeds the 65 535 bytes of an OpenFlow message
   */
  @Override
  public boolean packetOut(PacketOut packetOut) {
    return peer.messages()
        .packetOut(
            dialect.sayable(packetOut)
                && acts()
                && peer.hasRoom()
                && isOpen()
                && peer.onLoop(() -> inOrder(() -> send(packetOut))));
  }

  private void send(PacketOut packetOut) {
    if (acts() && isOpen() && peer.hasRoom()) {
      peer.write(dialect.packetOut(packetOut, peer.newXid(), peer.channel().alloc()));
    }
  }

  /** {@inheritDoc} At most {@link FlowModSender#MAX_BATCH} of them. */
  @Override
  public boolean flowMods(List<FlowMod> mods) {
    FlowModSender.checkBatch(mods);
    List<FlowMod> copy = List.copyOf(mods);
    return peer.hasRoom()
        && isOpen()
        && peer.onLoop(
            () -> {
              if (!inOrder(() -> send(copy))) {
                refusals.report(copy, Peer.TOO_MUCH);
              }
            });
  }

  private void send(List<FlowMod> mods) {
    CookieDeletes deletes = cookieDeletes;
    if (!acts()) {
      refusals.report(mods, SwitchErrors.IS_SLAVE);
    } else if (!peer.hasRoom()) {
      refusals.report(mods, Peer.TOO_MUCH);
    } else if (deletes != null && CookieDeletes.concerns(mods)) {
      deletes.run(mods, outcomes -> refusals.report(mods, outcomes));
    } else {
      flowMods.send(mods, (mod, error) -> refusals.report(List.of(mod), error));
    }
  }

  /** {@inheritDoc} At most {@link FlowModSender#MAX_BATCH} of them. */
  @Override
  public CompletableFuture<List<FlowModOutcome>> flowModsConfirmed(List<FlowMod> mods) {
    FlowModSender.checkBatch(mods);
    List<FlowMod> copy = List.copyOf(mods);
    return confirmed(
        copy,
        result -> {
          if (!inOrder(() -> sendConfirmed(copy, result))) {
            result.complete(FlowModSender.unsent(copy, Peer.TOO_MUCH));
          }
        });
  }

  private CompletableFuture<List<FlowModOutcome>> confirmed(
      List<?> mods, Consumer<CompletableFuture<List<FlowModOutcome>>> send) {
    CompletableFuture<List<FlowModOutcome>> result = new CompletableFuture<>();
    if (!peer.hasRoom() || !isOpen() || !peer.onLoop(() -> send.accept(result))) {
      result.complete(FlowModSender.unsent(mods, peer.whyNotSent()));
    }
    return result;
  }

  @Override
  public CompletableFuture<List<FlowModOutcome>> groupModsConfirmed(List<GroupMod> mods) {
    List<GroupMod> copy = List.copyOf(mods);
    return confirmed(copy, result -> groups.change(copy, result));
  }

  @Override
  public CompletableFuture<Answer<List<PortGroup>>> portGroups() {
    return ask(groups::read);
  }

  private void sendConfirmed(List<FlowMod> mods, CompletableFuture<List<FlowModOutcome>> result) {
    CookieDeletes deletes = cookieDeletes;
    // There was room when it was handed over; others may have come first.
    String obstacle = peer.hasRoom() ? requests.obstacle() : peer.whyNotSent();
    if (!acts()) {
      FlowModOutcome outcome = new FlowModOutcome.Refused(SwitchErrors.IS_SLAVE);
      result.complete(mods.stream().map(mod -> outcome).toList());
    } else if (obstacle != null) {
      result.complete(FlowModSender.unsent(mods, obstacle));
    } else if (deletes != null && CookieDeletes.concerns(mods)) {
      deletes.run(mods, result::complete);
    } else {
      requests.barrier(flowMods.sendConfirmed(mods, result));
    }
  }

  /** The way of the steps of deletes by cookie. */
  private final class ToSwitch implements CookieDeletes.Line {
    @Override
    public CompletableFuture<List<FlowModOutcome>> confirmed(List<FlowMod> mods) {
      CompletableFuture<List<FlowModOutcome>> result = new CompletableFuture<>();
      sendConfirmed(mods, result);
      return result;
    }

    @Override
    public CompletableFuture<Answer<List<FlowStats>>> selected(FlowMod delete) {
      return flowStats(delete);
    }
  }

  @Override
  public void close(String reason) {
    peer.close(Severity.INFO, reason);
  }

  @Override
  public CompletableFuture<Boolean> probe() {
    CompletableFuture<Boolean> alive = new CompletableFuture<>();
    Runnable ask = () -> Continuations.after(requests.probe(), this, alive::complete);
    try {
      loop.execute(() -> peer.guarded(ask));
    } catch (RejectedExecutionException e) {
      alive.complete(false);
    }
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

  SwitchRequests requests() {
    return requests;
  }

  /** Hands an error to the request or confirmed change it is about; false where there is none. */
  boolean failRequest(int xid, String error) {
    return requests.error(xid, error) || flowMods.refuse(xid, error) || groups.refuse(xid, error);
  }

  @Nullable FlowMod takeRecent(int xid) {
    return flowMods.takeRecent(xid);
  }

  /** The connection is gone: ends requests, tells the observer, frees the datapath id. */
  void end(String reason) {
    requests.loseAll("the connection ended: " + reason);
    peer.guarded(() -> room.observer().disconnected(this, reason));
    room.registry().remove(this);
    ended.complete(null);
  }

  /** The connection ended before the observer knew of it. */
  void neverBegan() {
    ended.complete(null);
  }
}
