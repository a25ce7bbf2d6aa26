package io.lockstep.core.flow.placed;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.flow.entry.Cookies;
import io.lockstep.core.flow.entry.TreatmentCodec;
import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.SwitchFeatures;
import io.lockstep.placer.RuleKey;
import io.lockstep.placer.profile.BuiltInProfiles;
import io.lockstep.placer.space.TernaryMatch;
import io.lockstep.store.Bytes;
import io.lockstep.store.codec.ByteWriter;
import org.junit.jupiter.api.Test;
import org.onosproject.net.flow.DefaultTrafficTreatment;

class SwitchPipelineTest {
  private static final RuleKey KEY = new RuleKey(7, TernaryMatch.any());

  private static SwitchPipeline pipeline(String protocol) {
    return new SwitchPipeline(
        BuiltInProfiles.get("ovs-small"),
        new SwitchFeatures(protocol, "127.0.0.1:1", "", "", "", "", "", 0, 2));
  }

  /** OpenFlow 1.3.5 section 5.4; OpenFlow 1.0 has no such entries. */
  @Test
  void onlyTablesOfOpenFlow13EndInAnEntry() {
    assertThat(pipeline("OpenFlow 1.3").missEntries())
        .extracting(FlowMod::tableId)
        .containsExactly(0, 1);
    assertThat(pipeline("OpenFlow 1.0").missEntries()).isEmpty();
    assertThat(pipeline("OpenFlow 1.0").missUnits(0)).isZero();
  }

  @Test
  void anEntryWithoutATreatmentIsACover() {
    SwitchPipeline pipeline = pipeline("OpenFlow 1.3");
    Bytes drop = encoded();
    FlowMod terminal = pipeline.write(0, KEY, KEY, drop);
    assertThat(terminal.cookie()).isEqualTo(SwitchPipeline.cookie(KEY, drop));
    assertThat(terminal.treatment()).isEqualTo(DefaultTrafficTreatment.emptyTreatment());
    FlowMod cover = pipeline.write(0, KEY, KEY, null);
    assertThat(Cookies.isCover(cover.cookie())).isTrue();
    assertThat(cover.treatment()).isEqualTo(pipeline.cover(0));
  }

  /** {@link FlowTableSnapshot} takes an empty byte string for the treatment of no rule. */
  @Test
  void noTreatmentIsEmpty() {
    assertThat(encoded()).isNotEqualTo(Bytes.empty());
  }

  private static Bytes encoded() {
    ByteWriter out = new ByteWriter(8);
    TreatmentCodec.write(DefaultTrafficTreatment.emptyTreatment(), out);
    return out.toBytes();
  }
}
