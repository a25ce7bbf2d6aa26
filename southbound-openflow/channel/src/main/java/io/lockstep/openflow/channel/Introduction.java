package io.lockstep.openflow.channel;

import io.lockstep.core.southbound.SwitchFeatures;
import io.lockstep.openflow.codec.OpenFlowVersions;
import org.jspecify.annotations.Nullable;
import org.projectfloodlight.openflow.protocol.OFDescStatsReply;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFFeaturesReply;

/** What a switch says of itself in its handshake, in the node's type. */
final class Introduction {
  private Introduction() {}

  /**
   * Puts the answers of a switch together.
   *
   * @param description null where the switch refused to describe itself
   */
  static SwitchFeatures of(
      OFFactory agreed,
      String peer,
      OFFeaturesReply features,
      @Nullable OFDescStatsReply description) {
    return new SwitchFeatures(
        OpenFlowVersions.name(agreed.getVersion().getWireVersion()),
        peer,
        description == null ? "" : description.getMfrDesc(),
        description == null ? "" : description.getHwDesc(),
        description == null ? "" : description.getSwDesc(),
        description == null ? "" : description.getSerialNum(),
        description == null ? "" : description.getDpDesc(),
        features.getNBuffers(),
        features.getNTables());
  }
}
