package io.lockstep.openflow.channel.translate;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.southbound.GroupMod;
import io.lockstep.core.southbound.PortGroup;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.projectfloodlight.openflow.protocol.OFBucket;
import org.projectfloodlight.openflow.protocol.OFFactories;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFGroupDescStatsEntry;
import org.projectfloodlight.openflow.protocol.OFGroupMod;
import org.projectfloodlight.openflow.protocol.OFGroupType;
import org.projectfloodlight.openflow.protocol.OFVersion;
import org.projectfloodlight.openflow.types.OFGroup;

/** Groups that lead to one port, on the wire of OpenFlow 1.3.5 (section 7.3.4.2). */
class GroupTranslationTest {
  private static final OFFactory OF = OFFactories.getFactory(OFVersion.OF_13);
  private static final PortGroup UNTAGGED = new PortGroup(0x0001_0007, 7, true);

  private static OFGroupMod message(GroupMod.Operation operation, PortGroup group) {
    return GroupTranslation.toMessage(new GroupMod(operation, group), 9, OF);
  }

  private static Optional<PortGroup> described(OFGroupType type, List<OFBucket> buckets) {
    OFGroupDescStatsEntry entry =
        OF.buildGroupDescStatsEntry()
            .setGroup(OFGroup.of(UNTAGGED.id()))
            .setGroupType(type)
            .setBuckets(buckets)
            .build();
    return GroupTranslation.toGroup(entry);
  }

  @Test
  void aGroupIsAnIndirectOneThatPopsTheTagAndOutputs() {
    ByteBuf out = Unpooled.buffer();
    message(GroupMod.Operation.ADD, UNTAGGED).writeTo(out);
    assertThat(ByteBufUtil.hexDump(out))
        .isEqualTo(
            "040f003800000009" // version, GROUP_MOD, 56 octets, xid
                + "0000020000010007" // ADD, INDIRECT, id
                + "00280000ffffffffffffffff00000000" // a bucket of 40 octets that watches nothing
                + "0012000800000000" // POP_VLAN
                + "0000001000000007" // OUTPUT to port 7
                + "0000000000000000");
    assertThat(message(GroupMod.Operation.MODIFY, UNTAGGED).getCommand().name())
        .isEqualTo("MODIFY");
  }

  @Test
  void whatASwitchDescribesIsReadBackAndOtherFormsAreNot() {
    for (PortGroup group : List.of(UNTAGGED, new PortGroup(UNTAGGED.id(), 7, false))) {
      List<OFBucket> buckets = message(GroupMod.Operation.ADD, group).getBuckets();
      assertThat(described(OFGroupType.INDIRECT, buckets)).contains(group);
      assertThat(described(OFGroupType.ALL, buckets)).isEmpty();
      assertThat(described(OFGroupType.INDIRECT, List.of())).isEmpty();
    }
  }
}
