package io.lockstep.bench.openflow;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.projectfloodlight.openflow.protocol.OFBadRequestCode;
import org.projectfloodlight.openflow.protocol.OFCapabilities;
import org.projectfloodlight.openflow.protocol.OFControllerRole;
import org.projectfloodlight.openflow.protocol.OFEchoRequest;
import org.projectfloodlight.openflow.protocol.OFFactories;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFFlowMod;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFRoleRequest;
import org.projectfloodlight.openflow.protocol.OFRoleRequestFailedCode;
import org.projectfloodlight.openflow.protocol.OFStatsRequest;
import org.projectfloodlight.openflow.protocol.OFType;
import org.projectfloodlight.openflow.protocol.OFVersion;
import org.projectfloodlight.openflow.types.DatapathId;
import org.projectfloodlight.openflow.types.OFAuxId;
import org.projectfloodlight.openflow.types.OFErrorCauseData;
import org.projectfloodlight.openflow.types.U64;

/**
 * What one played switch says to its controllers, packet-ins aside: pure, messages in and messages
 * out. Flow-mods are accepted silently; entries without time-outs are remembered, so that a
 * controller that reads its rules back finds them, and soft ones are forgotten at once.
 *
 * <p>Owned by the event loop.
 */
final class SwitchPersona {
  static final OFFactory FACTORY = OFFactories.getFactory(OFVersion.OF_13);
  static final int TABLES = 1;

  /** What one controller may do at the switch (OpenFlow 1.3.5 section 6.3.4); equal at first. */
  static final class ControllerRole {
    private OFControllerRole role = OFControllerRole.ROLE_EQUAL;

    /** Whether packet-ins go to this controller. */
    boolean hearsPacketIns() {
      return role != OFControllerRole.ROLE_SLAVE;
    }

    OFControllerRole role() {
      return role;
    }
  }

  private final long dpid;
  private final StatisticsAnswers statistics;
  private final PermanentEntries entries = new PermanentEntries();
  private final Map<Object, ControllerRole> controllers = new LinkedHashMap<>();
  private @Nullable Long generationId;
  private @Nullable Runnable refusing;

  SwitchPersona(LoadPlan plan, int index) {
    this.dpid = plan.dpid(index);
    this.statistics = new StatisticsAnswers(plan, index, entries);
  }

  /** A controller connected; the key is its connection. */
  ControllerRole connected(Object connection) {
    ControllerRole controller = new ControllerRole();
    controllers.put(connection, controller);
    return controller;
  }

  /** Its connection is gone. */
  void disconnected(Object connection) {
    controllers.remove(connection);
  }

  /**
   * From now on who reads all entries finds expired ones among them, which no delete removes; null
   * ends it.
   *
   * @param next is told how many, with each answer
   */
  void reviveEntries(@Nullable IntConsumer next) {
    statistics.reviveEntries(next);
  }

  /** Forgets the permanent entries; how many there were. */
  int loseEntries() {
    int lost = entries.all().size();
    entries.all().clear();
    return lost;
  }

  /**
   * From now on every request for a role is refused, as of a master that is behind (OpenFlow 1.3.5
   * section 6.3.4); null ends it.
   *
   * @param next is run with each refusal
   */
  void refuseRoles(@Nullable Runnable next) {
    refusing = next;
  }

  /** What the switch answers, in order. */
  List<OFMessage> answer(ControllerRole sender, OFMessage message) {
    if (!sender.hearsPacketIns() && isRefusedToSlaves(message.getType())) {
      return List.of(badRequest(message, OFBadRequestCode.IS_SLAVE));
    }
    return switch (message.getType()) {
      case FEATURES_REQUEST -> List.of(features(message));
      case ECHO_REQUEST ->
          List.of(
              FACTORY
                  .buildEchoReply()
                  .setXid(message.getXid())
                  .setData(((OFEchoRequest) message).getData())
                  .build());
      case BARRIER_REQUEST -> List.of(FACTORY.buildBarrierReply().setXid(message.getXid()).build());
      case GET_CONFIG_REQUEST ->
          List.of(
              FACTORY
                  .buildGetConfigReply()
                  .setXid(message.getXid())
                  .setFlags(Set.of())
                  .setMissSendLen(0xffff)
                  .build());
      case ROLE_REQUEST -> List.of(role(sender, (OFRoleRequest) message));
      case STATS_REQUEST -> List.of(multipart((OFStatsRequest<?>) message));
      case FLOW_MOD -> {
        entries.apply((OFFlowMod) message);
        yield List.of();
      }
      default -> List.of();
    };
  }

  private static boolean isRefusedToSlaves(OFType type) {
    return type == OFType.FLOW_MOD
        || type == OFType.PACKET_OUT
        || type == OFType.GROUP_MOD
        || type == OFType.PORT_MOD
        || type == OFType.TABLE_MOD
        || type == OFType.METER_MOD;
  }

  private OFMessage features(OFMessage request) {
    return FACTORY
        .buildFeaturesReply()
        .setXid(request.getXid())
        .setDatapathId(DatapathId.of(dpid))
        .setNBuffers(0)
        .setNTables((short) TABLES)
        .setAuxiliaryId(OFAuxId.MAIN)
        .setCapabilities(
            Set.of(
                OFCapabilities.FLOW_STATS, OFCapabilities.TABLE_STATS, OFCapabilities.PORT_STATS))
        .build();
  }

  private OFMessage multipart(OFStatsRequest<?> request) {
    OFMessage reply = statistics.answer(request);
    return reply == null ? badRequest(request, OFBadRequestCode.BAD_STAT) : reply;
  }

  private OFMessage role(ControllerRole sender, OFRoleRequest request) {
    OFControllerRole wanted = request.getRole();
    Runnable refused = refusing;
    if (refused != null) {
      refused.run();
      return stale(request);
    }
    if (wanted == OFControllerRole.ROLE_MASTER || wanted == OFControllerRole.ROLE_SLAVE) {
      long generation = request.getGenerationId().getValue();
      if (generationId != null && generation - generationId < 0) {
        return stale(request);
      }
      generationId = generation;
    }
    if (wanted == OFControllerRole.ROLE_MASTER) {
      for (ControllerRole controller : controllers.values()) {
        if (controller.role == OFControllerRole.ROLE_MASTER) {
          controller.role = OFControllerRole.ROLE_SLAVE;
        }
      }
    }
    if (wanted != OFControllerRole.ROLE_NOCHANGE) {
      sender.role = wanted;
    }
    return FACTORY
        .buildRoleReply()
        .setXid(request.getXid())
        .setRole(sender.role)
        .setGenerationId(generationId == null ? U64.of(-1) : U64.of(generationId))
        .build();
  }

  private static OFMessage stale(OFRoleRequest request) {
    return FACTORY
        .errorMsgs()
        .buildRoleRequestFailedErrorMsg()
        .setXid(request.getXid())
        .setCode(OFRoleRequestFailedCode.STALE)
        .setData(cause(request))
        .build();
  }

  private static OFMessage badRequest(OFMessage request, OFBadRequestCode code) {
    return FACTORY
        .errorMsgs()
        .buildBadRequestErrorMsg()
        .setXid(request.getXid())
        .setCode(code)
        .setData(cause(request))
        .build();
  }

  private static OFErrorCauseData cause(OFMessage request) {
    ByteBuf bytes = Unpooled.buffer();
    request.writeTo(bytes);
    byte[] head = new byte[Math.min(64, bytes.readableBytes())];
    bytes.readBytes(head);
    return OFErrorCauseData.of(head, OFVersion.OF_13);
  }
}
