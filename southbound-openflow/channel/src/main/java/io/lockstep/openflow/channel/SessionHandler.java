package io.lockstep.openflow.channel;

import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.FlowRemoved;
import io.lockstep.core.southbound.PacketIn;
import io.lockstep.core.southbound.SwitchErrors;
import io.lockstep.core.southbound.SwitchObserver;
import io.lockstep.openflow.channel.ConnectionLog.Severity;
import io.lockstep.openflow.channel.MessageCounters.Ending;
import io.lockstep.openflow.channel.translate.UntranslatableException;
import io.lockstep.openflow.codec.MessageDecoder;
import io.lockstep.openflow.codec.PartlyKnown;
import io.lockstep.openflow.codec.UnsupportedMessage;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.onosproject.net.device.PortDescription;
import org.projectfloodlight.openflow.protocol.OFEchoRequest;
import org.projectfloodlight.openflow.protocol.OFErrorMsg;
import org.projectfloodlight.openflow.protocol.OFFlowRemoved;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFPortStatus;

/**
 * Hands inward what a switch says: to the observer, or to the request that waits for it. What the
 * observer throws closes this connection. Owned by the event loop.
 */
final class SessionHandler extends ChannelInboundHandlerAdapter {
  private static final int TYPE_ERROR = 1;

  /** Kinds of unknown messages that are logged for one connection. */
  private static final int MAX_NOTICES = 8;

  private final ServerRoom room;
  private final SwitchObserver observer;
  private final Peer peer;
  private final SwitchSession session;
  private final KeepAlive keepAlive;
  private final ReadPace pace;
  private final ReportQuota reports = new ReportQuota(System.nanoTime());
  private final Set<String> notices = new HashSet<>();
  private @Nullable ScheduledFuture<?> ticks;
  private boolean silent;

  SessionHandler(ServerRoom room, Peer peer, SwitchSession session) {
    this.room = room;
    this.observer = room.observer();
    this.peer = peer;
    this.session = session;
    this.pace = new ReadPace(peer.channel());
    this.keepAlive =
        new KeepAlive(
            TimeUnit.MILLISECONDS.toNanos(room.config().echoIntervalMillis()),
            TimeUnit.MILLISECONDS.toNanos(room.config().echoTimeoutMillis()),
            System.nanoTime());
  }

  /** Starts the session; called once, when this handler is in its place. */
  void begin(EventExecutor executor, MessageDecoder decoder) {
    decoder.filter(new PacketInFilter(observer, session, pace));
    long tickNanos = TimeUnit.MILLISECONDS.toNanos(room.config().tickMillis());
    Runnable guardedTick = () -> peer.guarded(this::tick);
    // At the multiples of a tick, so that the connections of one loop share its wake-ups.
    long firstNanos = tickNanos - Math.floorMod(System.nanoTime(), tickNanos);
    ticks = executor.scheduleAtFixedRate(guardedTick, firstNanos, tickNanos, TimeUnit.NANOSECONDS);
    log(
        Severity.INFO,
        "switch "
            + session.deviceId()
            + " connected from "
            + peer.name()
            + ": "
            + session.features().protocol()
            + ", "
            + session.ports().size()
            + " ports, "
            + session.features().software(),
        null);
    peer.guarded(() -> observer.connected(session));
  }

  private void tick() {
    long now = System.nanoTime();
    session.requests().expire(now);
    switch (keepAlive.tick(now)) {
      case SEND_ECHO -> session.requests().sendEcho();
      case GIVE_UP -> {
        silent = !peer.isClosing();
        peer.close(
            Severity.WARN,
            "no answer to an echo in " + room.config().echoTimeoutMillis() + " ms of silence");
      }
      case NOTHING -> {}
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    peer.readStarted();
    if (peer.isClosing()) {
      return;
    }
    if (message instanceof PacketIn packetIn) {
      if (session.hears()) {
        peer.guarded(() -> observer.packetIn(session, packetIn));
      }
    } else if (message instanceof OFMessage openFlow) {
      openFlow(openFlow);
    } else if (message instanceof PartlyKnown partly) {
      partlyKnown(partly);
    } else if (message instanceof UnsupportedMessage unsupported) {
      unsupported(unsupported);
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    // What a switch sends that reads nothing is no sign that it would answer an echo.
    if (context.channel().isWritable()) {
      keepAlive.heard(System.nanoTime());
    }
    peer.readComplete();
    pace.readComplete();
  }

  /** A switch that does not read is hardly read from: what it asks for cannot pile up here. */
  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    pace.writabilityChanged();
    if (!context.channel().isWritable()) {
      peer.flush();
    }
  }

  /** Whether the switch may report something unasked; closes its connection where it may not. */
  private boolean mayReport() {
    return mayReport(1);
  }

  private boolean mayReport(int count) {
    boolean within = reports.take(System.nanoTime(), count);
    if (!within) {
      room.counters().reportFlood();
      peer.close(
          Severity.WARN,
          "the switch reports too much: more than "
              + ReportQuota.BURST
              + " messages at once, and more than "
              + ReportQuota.PER_SECOND
              + " a second since");
    }
    return within;
  }

  private void openFlow(OFMessage message) {
    if (!isAnswer(message) && !mayReport()) {
      return;
    }
    switch (message.getType()) {
      case ECHO_REQUEST -> session.requests().answerEcho((OFEchoRequest) message);
      case ERROR -> error((int) message.getXid(), ErrorText.of((OFErrorMsg) message));
      case PORT_STATUS -> portStatus((OFPortStatus) message);
      case FLOW_REMOVED -> flowRemoved((OFFlowRemoved) message);
      case ECHO_REPLY, BARRIER_REPLY, ROLE_REPLY, STATS_REPLY -> session.requests().reply(message);
      default -> {
        // Asynchronous messages of optional features that this controller does not use.
      }
    }
  }

  private static boolean isAnswer(OFMessage message) {
    return switch (message.getType()) {
      case ECHO_REPLY, BARRIER_REPLY, ROLE_REPLY, STATS_REPLY -> true;
      default -> false;
    };
  }

  /** This controller installs only what it can read: what is left out is not its own any more. */
  private void partlyKnown(PartlyKnown message) {
    if (!mayReport(message.left())) {
      return;
    }
    log(
        Severity.INFO,
        session.deviceId()
            + " has flows that are not this controller's, "
            + message.left()
            + " in one reply: "
            + message.unknown().reason(),
        null);
    openFlow(message.known());
  }

  private void unsupported(UnsupportedMessage message) {
    if (!mayReport()) {
      return;
    }
    int xid = (int) message.xid();
    if (message.type() == TYPE_ERROR) {
      error(xid, ErrorText.of(message));
    } else if (HandshakeHandler.isStatsReply(message)) {
      session.failRequest(xid, "the reply has unknown content: " + message.reason());
    } else {
      String notice = UnknownMessage.describe(message);
      // A switch may repeat it for ever; a few kinds are told, each once.
      if (notices.size() < MAX_NOTICES && notices.add(notice)) {
        log(Severity.INFO, session.deviceId() + " sent " + notice, null);
      }
    }
  }

  private void portStatus(OFPortStatus status) {
    PortDescription port = session.portTable().change(status.getReason(), status.getDesc());
    peer.guarded(() -> observer.portStatus(session, PortTable.changeOf(status.getReason()), port));
  }

  private void flowRemoved(OFFlowRemoved message) {
    if (!session.hears()) {
      return;
    }
    FlowRemoved removed;
    try {
      removed = session.dialect().flowRemoved(message);
    } catch (UntranslatableException e) {
      log(
          Severity.INFO,
          session.deviceId() + " removed a flow that is not this controller's: " + e.getMessage(),
          null);
      return;
    }
    peer.guarded(() -> observer.flowRemoved(session, removed));
  }

  private void error(int xid, String error) {
    boolean demoted = error.equals(SwitchErrors.IS_SLAVE) && session.requests().demote();
    if (!session.failRequest(xid, error)) {
      FlowMod mod = session.takeRecent(xid);
      if (mod != null) {
        peer.messages().flowModsRefused(1);
        peer.guarded(() -> observer.flowModFailed(session, mod, error));
      } else {
        log(Severity.INFO, session.deviceId() + " answered " + error + " to xid " + xid, null);
      }
    }
    if (demoted) {
      peer.guarded(
          () -> observer.roleLost(session, "the switch takes this controller for a slave"));
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    if (ticks != null) {
      ticks.cancel(false);
    }
    Peer.CloseReason closing = peer.closing();
    peer.messages().ended(ending(closing));
    log(
        closing.severity(),
        "switch "
            + session.deviceId()
            + " disconnected from "
            + peer.name()
            + ": "
            + closing.reason(),
        closing.cause());
    session.end(closing.reason());
  }

  private Ending ending(Peer.CloseReason closing) {
    if (peer.closedByPeer()) {
      return Ending.SWITCH_CLOSED;
    }
    if (silent) {
      return Ending.SILENT;
    }
    if (closing.cause() != null) {
      return Ending.FAULT;
    }
    return closing.severity() == Severity.WARN ? Ending.PROTECTION : Ending.NODE_CLOSED;
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable fault) {
    Faults.close(peer, fault);
  }

  private void log(Severity severity, String text, @Nullable Throwable cause) {
    room.log().report(severity, peer.host(), text, cause);
  }
}
