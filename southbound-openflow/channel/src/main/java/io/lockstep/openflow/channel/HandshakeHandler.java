package io.lockstep.openflow.channel;

import io.lockstep.core.southbound.SwitchFeatures;
import io.lockstep.core.southbound.TableClaims;
import io.lockstep.openflow.channel.ConnectionLog.Severity;
import io.lockstep.openflow.channel.translate.Dialect;
import io.lockstep.openflow.channel.translate.TableFeaturesPart;
import io.lockstep.openflow.codec.Hello;
import io.lockstep.openflow.codec.MessageDecoder;
import io.lockstep.openflow.codec.OpenFlowVersions;
import io.lockstep.openflow.codec.UnsupportedMessage;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.EnumSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.projectfloodlight.openflow.protocol.OFConfigFlags;
import org.projectfloodlight.openflow.protocol.OFDescStatsReply;
import org.projectfloodlight.openflow.protocol.OFEchoRequest;
import org.projectfloodlight.openflow.protocol.OFErrorMsg;
import org.projectfloodlight.openflow.protocol.OFFactories;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFFeaturesReply;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFPortDescStatsReply;
import org.projectfloodlight.openflow.protocol.OFPortStatus;
import org.projectfloodlight.openflow.protocol.OFStatsReplyFlags;
import org.projectfloodlight.openflow.protocol.OFTableStatsReply;
import org.projectfloodlight.openflow.protocol.OFVersion;
import org.projectfloodlight.openflow.types.OFAuxId;

/**
 * Brings a connection up (OpenFlow 1.3.5 section 6.3): HELLO, features, ports (which 1.0 has among
 * the features), description, the features of its tables, and the claim of the datapath id; then a
 * {@link SessionHandler} takes its place. Each step has a deadline of its own, so that a handshake
 * ends also where both sides are slow. No deadline runs while the connection waits for its turn
 * ({@link HandshakeTurns}). A switch that does not answer what its tables hold is taken without it,
 * after half of that time. Owned by the event loop.
 */
final class HandshakeHandler extends ChannelInboundHandlerAdapter {
  private static final int WHOLE_FRAME = 0xffff;
  private static final int TYPE_ERROR = 1;
  private static final int TYPE_STATS_REPLY_10 = 17;
  private static final int TYPE_STATS_REPLY = 19;

  private enum Step {
    HELLO("a HELLO"),
    TURN("its turn"),
    FEATURES("a features reply"),
    PORTS("a port description"),
    DESCRIPTION("a switch description"),
    TABLES("the features of its tables"),
    ADMISSION("the session that has this datapath id"),
    DONE("nothing");

    private final String awaited;

    Step(String awaited) {
      this.awaited = awaited;
    }
  }

  private final ServerRoom room;
  private final Peer peer;
  private final MessageDecoder decoder;
  private final HandshakeTurns.HandshakeTurn turn;
  private final HandshakeEchoes echoes;
  private final PortTable ports;
  private Step step = Step.HELLO;

  /** Not null behind {@code HELLO}. */
  private @Nullable OFFactory factory;

  /** Not null behind {@code FEATURES}. */
  private @Nullable OFFeaturesReply features;

  /** Null where the switch refused to describe itself. */
  private @Nullable OFDescStatsReply description;

  private final TableQuestion tableQuestion = new TableQuestion();
  private @Nullable ScheduledFuture<?> tablesDeadline;

  /** Not null in {@code ADMISSION}. */
  private @Nullable SwitchSession session;

  private @Nullable ScheduledFuture<?> deadline;

  HandshakeHandler(ServerRoom room, Peer peer, MessageDecoder decoder, HandshakeTurns turns) {
    this.room = room;
    this.peer = peer;
    this.decoder = decoder;
    this.turn = turns.turn(peer.address(), this::askForFeatures);
    this.ports = new PortTable(room.config().maxPorts());
    this.echoes = new HandshakeEchoes(peer, room.counters());
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    enter(Step.HELLO);
    peer.write(Hello.offering(peer.newXid(), OpenFlowVersions.SUPPORTED));
  }

  private void enter(Step next) {
    step = next;
    cancelDeadline();
    if (next != Step.TURN && next != Step.DONE) {
      int millis = room.config().handshakeTimeoutMillis();
      deadline =
          peer.channel().eventLoop().schedule(this::deadlinePassed, millis, TimeUnit.MILLISECONDS);
    }
  }

  private void cancelDeadline() {
    if (deadline != null) {
      deadline.cancel(false);
    }
  }

  private void deadlinePassed() {
    peer.close(
        Severity.WARN,
        "its handshake waited "
            + room.config().handshakeTimeoutMillis()
            + " ms for "
            + step.awaited);
    peer.closeNow();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    peer.readStarted();
    if (peer.isClosing()) {
      return;
    }
    if (message instanceof Hello hello) {
      hello(hello);
    } else if (message instanceof UnsupportedMessage unsupported) {
      unsupported(context, unsupported);
    } else if (message instanceof TableFeaturesPart part) {
      tables(context, step == Step.TABLES ? tableQuestion.answered(part) : null);
    } else if (message instanceof OFMessage openFlow) {
      openFlow(context, openFlow);
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    peer.readComplete();
  }

  /** Who does not read is not read from; after the handshake the session sees to it. */
  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    boolean writable = context.channel().isWritable();
    context.channel().config().setAutoRead(writable && step != Step.ADMISSION);
    if (!writable) {
      peer.flush();
    }
  }

  private void hello(Hello hello) {
    if (step != Step.HELLO) {
      return;
    }
    OFVersion version = hello.negotiate(OpenFlowVersions.SUPPORTED);
    if (version == null) {
      String text =
          "no common OpenFlow version: the switch offers "
              + hello.offered()
              + ", this controller speaks "
              + OpenFlowVersions.supportedNames();
      peer.closeAfter(HelloFailed.incompatible(hello, text), Severity.WARN, text);
      return;
    }
    decoder.negotiated(version);
    factory = OFFactories.getFactory(version);
    enter(Step.TURN);
    // Only what follows waits: Open vSwitch gives up a controller without a HELLO after a second.
    turn.ask();
  }

  private void askForFeatures() {
    OFFactory agreed = factory;
    if (agreed == null) {
      throw new IllegalStateException("no version before the turn");
    }
    if (peer.isClosing()) {
      return;
    }
    peer.write(
        agreed
            .buildSetConfig()
            .setXid(xid())
            .setFlags(EnumSet.of(OFConfigFlags.FRAG_NORMAL))
            .setMissSendLen(WHOLE_FRAME)
            .build());
    peer.write(agreed.buildFeaturesRequest().setXid(xid()).build());
    enter(Step.FEATURES);
  }

  private void unsupported(ChannelHandlerContext context, UnsupportedMessage message) {
    if (message.type() == TYPE_ERROR) {
      error(context, ErrorText.of(message));
    } else if (isStatsReply(message) && step == Step.DESCRIPTION) {
      askForTables(context);
    } else if (isStatsReply(message) && step == Step.TABLES) {
      tables(context, TableClaims.none("its answer is not understood: " + message.reason()));
    } else if (isStatsReply(message) && step == Step.PORTS) {
      peer.close(Severity.WARN, "unreadable port description: " + message.reason());
    }
  }

  static boolean isStatsReply(UnsupportedMessage message) {
    return message.type()
        == (message.wireVersion() == OFVersion.OF_10.getWireVersion()
            ? TYPE_STATS_REPLY_10
            : TYPE_STATS_REPLY);
  }

  private void openFlow(ChannelHandlerContext context, OFMessage message) {
    OFFactory agreed = factory;
    if (agreed == null) {
      if (message instanceof OFErrorMsg error) {
        peer.close(
            Severity.WARN,
            "the switch refused: " + ErrorText.of(error) + " " + ErrorText.helloText(error));
      } else {
        peer.close(Severity.WARN, message.getType() + " where a HELLO is due");
      }
      return;
    }
    if (message instanceof OFEchoRequest echo) {
      echoes.answer(agreed, echo);
    } else if (message instanceof OFErrorMsg error) {
      error(context, ErrorText.of(error));
    } else if (message instanceof OFPortStatus status && step.compareTo(Step.PORTS) > 0) {
      ports.change(status.getReason(), status.getDesc());
    } else if (message instanceof OFFeaturesReply reply && step == Step.FEATURES) {
      features(agreed, reply);
    } else if (message instanceof OFPortDescStatsReply reply && step == Step.PORTS) {
      ports(agreed, reply);
    } else if (message instanceof OFDescStatsReply reply && step == Step.DESCRIPTION) {
      description = reply;
      askForTables(context);
    } else if (message instanceof OFTableStatsReply reply && step == Step.TABLES) {
      tables(context, TableQuestion.answered(reply));
    }
  }

  private void features(OFFactory agreed, OFFeaturesReply reply) {
    if (room.turnsAway(peer, reply.getDatapathId().getLong())) {
      return;
    }
    if (agreed.getVersion() == OFVersion.OF_10) {
      features = reply;
      ports.addAll(reply.getPorts());
      describe(agreed);
      return;
    }
    if (!reply.getAuxiliaryId().equals(OFAuxId.MAIN)) {
      peer.close(
          Severity.WARN,
          "auxiliary connection of "
              + SwitchSession.deviceIdOf(reply.getDatapathId().getLong())
              + ": only main connections are taken");
      return;
    }
    features = reply;
    peer.write(agreed.buildPortDescStatsRequest().setXid(xid()).build());
    enter(Step.PORTS);
  }

  private void ports(OFFactory agreed, OFPortDescStatsReply reply) {
    ports.addAll(reply.getEntries());
    if (!reply.getFlags().contains(OFStatsReplyFlags.REPLY_MORE)) {
      describe(agreed);
    }
  }

  private void describe(OFFactory agreed) {
    peer.write(agreed.buildDescStatsRequest().setXid(xid()).build());
    enter(Step.DESCRIPTION);
  }

  /** An error ends the handshake, except the refusal to describe oneself or one's tables. */
  private void error(ChannelHandlerContext context, String error) {
    if (step == Step.DESCRIPTION) {
      askForTables(context);
    } else if (step == Step.TABLES) {
      tables(context, TableClaims.none("it answered " + error));
    } else if (step != Step.ADMISSION) {
      peer.close(Severity.WARN, "the switch answered " + error + " instead of " + step.awaited);
    }
  }

  private void askForTables(ChannelHandlerContext context) {
    OFFactory agreed = factory;
    OFFeaturesReply reply = features;
    if (agreed == null || reply == null) {
      throw new IllegalStateException("no features before the description");
    }
    enter(Step.TABLES);
    String whyNot = TableQuestion.whyNot(reply.getNTables());
    if (whyNot != null) {
      tables(context, TableClaims.none(whyNot));
      return;
    }
    peer.write(TableQuestion.request(agreed, xid()));
    tablesDeadline =
        context
            .executor()
            .schedule(
                () -> tables(context, TableClaims.none("it did not answer")),
                room.config().handshakeTimeoutMillis() / 2,
                TimeUnit.MILLISECONDS);
  }

  /** Goes on with what is known of the tables; null while the answer is not whole. */
  private void tables(ChannelHandlerContext context, @Nullable TableClaims claims) {
    if (step != Step.TABLES || claims == null || peer.isClosing()) {
      return;
    }
    if (tablesDeadline != null) {
      tablesDeadline.cancel(false);
    }
    admit(context, claims);
  }

  private void admit(ChannelHandlerContext context, TableClaims claims) {
    OFFactory agreed = factory;
    OFFeaturesReply reply = features;
    if (agreed == null || reply == null) {
      throw new IllegalStateException("no features before the description");
    }
    enter(Step.ADMISSION);
    context.channel().config().setAutoRead(false);
    SwitchFeatures known = Introduction.of(agreed, peer.name(), reply, description);
    TableClaims said = Introduction.claims(reply, claims);
    SwitchSession newSession =
        new SwitchSession(
            room, peer, Dialect.of(agreed), reply.getDatapathId().getLong(), known, said, ports);
    session = newSession;
    room.registry()
        .admit(
            newSession,
            refusal -> {
              if (refusal != null) {
                peer.close(Severity.WARN, refusal);
              } else {
                done(context, newSession);
              }
            });
  }

  private void done(ChannelHandlerContext context, SwitchSession newSession) {
    enter(Step.DONE);
    peer.establish();
    peer.messages().handshake(true);
    turn.end();
    SessionHandler handler = new SessionHandler(room, peer, newSession);
    context.pipeline().replace(this, "session", handler);
    handler.begin(context.executor(), decoder);
    context.channel().config().setAutoRead(context.channel().isWritable());
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    cancelDeadline();
    turn.end();
    if (tablesDeadline != null) {
      tablesDeadline.cancel(false);
    }
    SwitchSession claimed = session;
    if (claimed != null) {
      room.registry().remove(claimed);
      claimed.neverBegan();
    }
    peer.messages().handshake(false);
    Peer.CloseReason closing = peer.closing();
    room.log()
        .report(
            closing.severity(),
            peer.host(),
            "connection from "
                + peer.name()
                + (claimed == null ? "" : ", " + claimed.deviceId() + ",")
                + " ended in its handshake: "
                + closing.reason(),
            closing.cause());
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable fault) {
    Faults.close(peer, fault);
  }

  private long xid() {
    return Integer.toUnsignedLong(peer.newXid());
  }
}
