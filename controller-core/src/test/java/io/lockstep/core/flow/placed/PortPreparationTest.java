package io.lockstep.core.flow.placed;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.FlowStats;
import io.lockstep.core.southbound.PortGroup;
import io.lockstep.core.testing.FakeSwitch;
import io.lockstep.placer.profile.BuiltInProfiles;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What ports of a switch with the pipeline of OF-DPA need. */
class PortPreparationTest {
  private static final int ACL = 60;
  private static final int PORTS = 200;

  private final FixedEntries forms =
      new FixedEntries(Objects.requireNonNull(BuiltInProfiles.get("of-dpa").fixed()), ACL);
  private final FakeSwitch device = new FakeSwitch(1, PORTS);
  private final PortPreparation preparation = new PortPreparation(device, forms, Runnable::run);
  private final List<FlowStats> entries = new ArrayList<>();
  private final List<PortGroup> groups = new ArrayList<>();
  private int looks;

  PortPreparationTest() {
    for (long port = 1; port <= PORTS; port++) {
      groups.add(Objects.requireNonNull(forms.group(port)));
      for (int i = 0; i < forms.portEntries(); i++) {
        entries.add(shown(forms.portEntry(i, port)));
      }
    }
  }

  private static FlowStats shown(FlowMod mod) {
    return new FlowStats(
        mod.tableId(),
        mod.priority(),
        mod.cookie(),
        0,
        0,
        1,
        0,
        0,
        mod.selector(),
        mod.treatment());
  }

  /** The entries, which counts how often someone looks at one of them. */
  private List<FlowStats> counted() {
    return new AbstractList<>() {
      @Override
      public FlowStats get(int index) {
        looks++;
        return entries.get(index);
      }

      @Override
      public int size() {
        return entries.size();
      }
    };
  }

  @Test
  void whatIsThereIsNotWrittenAgain() {
    assertThat(preparation.afterReading(entries, groups).join()).isTrue();
    assertThat(preparation.newPorts().join()).isTrue();
    assertThat(device.confirmed).isEmpty();
  }

  @Test
  void whatIsMissingOrIsOtherwiseIsWritten() {
    FlowMod second = forms.portEntry(1, 7);
    entries.removeIf(entry -> entry.equals(shown(second)));
    FlowMod first = forms.portEntry(0, 9);
    int changed = entries.indexOf(shown(first));
    entries.set(changed, shown(forms.portEntry(1, 9)));
    assertThat(preparation.afterReading(entries, groups).join()).isTrue();
    assertThat(device.confirmed).containsExactly(first, second);
  }

  @Test
  void eachEntryIsLookedAtAFewTimesWhateverTheNumberOfPorts() {
    assertThat(preparation.afterReading(counted(), groups).join()).isTrue();
    assertThat(looks).isBetween(entries.size(), 4 * entries.size());
  }
}
