package io.lockstep.core.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.lockstep.core.flow.entry.Cookies;
import io.lockstep.core.probe.ProbeReport.Row;
import io.lockstep.placer.profile.LayerKind;
import io.lockstep.placer.profile.LayerProfile;
import io.lockstep.placer.profile.ProfileReader;
import io.lockstep.placer.profile.SwitchProfile;
import io.lockstep.placer.space.HeaderField;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.onlab.packet.MacAddress;
import org.onlab.packet.VlanId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.TrafficSelector;

/** What a probe concludes, on scripted switches. */
class ProbeTest {
  private static final SwitchProbe.Limits LIMITS = new SwitchProbe.Limits(1 << 12, 60);
  private static final Set<String> ETHERNET =
      Set.of("IN_PORT", "VLAN_VID", "VLAN_PCP", "ETH_SRC", "ETH_DST", "ETH_TYPE");

  static TrafficSelector anyOf(String kind) {
    return kind.equals("vlan")
        ? DefaultTrafficSelector.builder().matchVlanId(VlanId.vlanId((short) 9)).build()
        : DefaultTrafficSelector.builder().matchEthDst(MacAddress.BROADCAST).build();
  }

  private static ProbeReport probe(ScriptedTarget target) throws ProbeException {
    List<String> progress = new ArrayList<>();
    ProbeReport report =
        new SwitchProbe(target, LIMITS).run("s1", List.of(0), false, progress::add);
    assertThat(progress).hasSize(ProbeField.values().length);
    assertThat(report.lines()).isNotEmpty();
    return report;
  }

  private static List<Integer> cells(ProbeReport report) {
    return report.tables().get(0).rows().stream().map(Row::capacity).toList();
  }

  /** Takes rules on the port and the VLAN only, and four times as much for those. */
  private static ScriptedTarget spilling() {
    return new ScriptedTarget(
        150,
        true,
        fields -> {
          if (fields.contains("ETH_SRC") || fields.contains("ETH_DST")) {
            return 0;
          }
          return Set.of("IN_PORT", "VLAN_VID").containsAll(fields) ? 4 : 1;
        });
  }

  @Test
  void switchThatRefusesIsFilledOnceAndCounted() throws ProbeException {
    ScriptedTarget target =
        new ScriptedTarget(300, false, fields -> ETHERNET.containsAll(fields) ? 3 : 2);
    ProbeReport report = probe(target);
    assertThat(cells(report))
        .containsExactly(100, 100, 100, 100, 100, 100, 150, 150, 150, 150, 150, 150);
    assertThat(report.tables().get(0).software()).isFalse();
    assertThat(target.entriesNow()).isZero();
  }

  @Test
  void switchThatSpillsIsFoundOutByItsPackets() throws ProbeException {
    ScriptedTarget target = spilling();
    ProbeReport report = probe(target);
    assertThat(cells(report)).containsExactly(37, 37, 150, 0, 0, 150, 150, 150, 150, 150, 150, 150);
    assertThat(report.tables().get(0).rows().get(3).beyond()).isEqualTo("software");
    assertThat(report.tables().get(0).rows().get(0).beyond()).isEqualTo("software");
    assertThat(target.entriesNow()).isZero();
  }

  /** The fastest of many packets is not slowed by other load, and a burst is compared with one. */
  @Test
  void loadOnThisMachineChangesNothing() throws ProbeException {
    for (long seed = 1; seed <= 20; seed++) {
      ScriptedTarget target = spilling();
      Random random = new Random(seed);
      target.noise = number -> (long) (Math.abs(random.nextGaussian()) * 2_000_000);
      // One in ten finds the machine idle.
      Random idle = new Random(-seed);
      java.util.function.Function<Integer, Long> busy = target.noise;
      target.noise = number -> idle.nextInt(3) == 0 ? 0L : busy.apply(number);
      assertThat(cells(probe(target)))
          .as("seed %d", seed)
          .containsExactly(37, 37, 150, 0, 0, 150, 150, 150, 150, 150, 150, 150);
    }
  }

  @Test
  void requiredFieldsAreThoseWithoutWhichNothingIsTaken() throws ProbeException {
    ScriptedTarget target =
        new ScriptedTarget(
            64,
            false,
            fields -> {
              Set<String> others = new TreeSet<>(fields);
              others.removeAll(Set.of("VLAN_VID", "ETH_DST", "ETH_TYPE", "IPV4_DST"));
              return fields.contains("ETH_DST") && others.isEmpty() ? 1 : 0;
            });
    ProbeReport report = probe(target);
    assertThat(cells(report)).containsExactly(0, 0, 0, 0, 64, 64, 0, 0, 64, 0, 0, 0);
    assertThat(report.tables().get(0).required()).containsExactly(ProbeField.ETH_DST);
  }

  @Test
  void switchThatNeverSaysNoIsNotFilledWithoutEnd() throws ProbeException {
    ScriptedTarget target = new ScriptedTarget(Integer.MAX_VALUE, false, fields -> 1);
    ProbeReport report = probe(target);
    assertThat(report.tables().get(0).rows()).noneMatch(Row::bounded);
    assertThat(target.mostEntries).isLessThanOrEqualTo(LIMITS.most());
  }

  @Test
  void tableThatDoesNotCountIsReadInstead() throws ProbeException {
    ScriptedTarget target = spilling();
    target.countsEntries = false;
    assertThat(cells(probe(target)).get(0)).isEqualTo(37);
  }

  @Test
  void entriesOfOthersAreNotPutAtRiskUnasked() throws ProbeException {
    ScriptedTarget target = spilling();
    target.foreign(0x1234);
    assertThatExceptionOfType(ProbeException.class)
        .isThrownBy(() -> probe(target))
        .withMessageContaining("1 entries of others")
        .withMessageContaining("nothing was done");
    assertThat(target.changes).isZero();
    new SwitchProbe(target, LIMITS).run("s1", List.of(0), true, line -> {});
    assertThat(target.entriesNow()).isEqualTo(1);
  }

  @Test
  void surveyTellsOwnFromOthersAndFromWhatIsLeft() throws ProbeException {
    ScriptedTarget target = spilling();
    target.foreign(Cookies.SYSTEM);
    SwitchProbe.Survey survey = new SwitchProbe(target, LIMITS).survey();
    assertThat(survey).isEqualTo(new SwitchProbe.Survey(1, 0, 0));
    assertThat(survey.warnings()).anyMatch(line -> line.contains("1 entries are ours"));
  }

  @Test
  void probeThatFailsTakesItsRulesOut() {
    for (int failsAt : new int[] {1, 2, 5, 20, 60}) {
      ScriptedTarget target = spilling();
      int[] changes = {0};
      target.beforeChange =
          () -> {
            changes[0]++;
            if (changes[0] == failsAt + 1) {
              throw new Fault();
            }
          };
      assertThatExceptionOfType(Fault.class).isThrownBy(() -> probe(target));
      assertThat(target.entriesNow()).as("fails at change %d", failsAt).isZero();
    }
  }

  /** A fault of this program, not of the switch. */
  private static final class Fault extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /** What was measured is what the placer then plans with. */
  @Test
  void profileThatIsWrittenIsReadAndHoldsEveryCell() throws Exception {
    for (ScriptedTarget target :
        List.of(
            spilling(),
            new ScriptedTarget(1536, false, fields -> ETHERNET.containsAll(fields) ? 4 : 3),
            new ScriptedTarget(2560, false, fields -> fields.contains("ETH_TYPE") ? 5 : 4))) {
      ProbeReport report = probe(target);
      SwitchProfile profile =
          ProfileReader.read("probed.yaml", ProfileInference.yaml(report, "probed"));
      LayerProfile hardware = profile.layers().get(0);
      assertThat(hardware.kind()).isEqualTo(LayerKind.HARDWARE);
      int fields = 0;
      for (Row row : report.tables().get(0).rows()) {
        int bit = bit(row.field());
        if (row.capacity() == 0) {
          assertThat(hardware.allowed() & bit).as(row.toString()).isZero();
        } else {
          fields |= bit;
          assertThat(hardware.capacity().entriesOf(fields))
              .as(row.toString())
              .isEqualTo(row.capacity());
        }
      }
    }
  }

  private static int bit(ProbeField field) {
    for (HeaderField each : HeaderField.values()) {
      if (each.label().equals(field.inProfiles())) {
        return each.bit();
      }
    }
    throw new AssertionError("no field " + field);
  }

  /** No two rules of a structure may be one, and none but the witness may match its packets. */
  @Test
  void rulesOfAStructureAreDifferentAndLeaveTheWitnessItsPackets() {
    List<ProbeField> soFar = new ArrayList<>();
    for (ProbeField field : ProbeField.values()) {
      soFar.add(field);
      for (Set<ProbeField> fields :
          List.of(Set.copyOf(soFar), Set.of(field), EnumSet.of(ProbeField.ETH_TYPE, field))) {
        Structure structure = new Structure(fields);
        PortNumber port = PortNumber.portNumber(3);
        Set<String> seen = new TreeSet<>();
        TrafficSelector witness = structure.selector(0, port);
        for (int rule = 0; rule < 3000; rule++) {
          TrafficSelector selector = structure.selector(rule, port);
          assertThat(seen.add(structure.priority(rule) + " " + selector))
              .as("rule %d of %s", rule, structure)
              .isTrue();
          assertThat(rule > 0 && selector.equals(witness))
              .as("rule %d of %s is the witness's", rule, structure)
              .isFalse();
          assertThat(structure.priority(rule)).isBetween(1, 0xfffe);
        }
      }
    }
  }

  /** Rules that live for a while are put there anew before they go. */
  @Test
  void slowSwitchIsNotMeasuredWithRulesThatAreGone() throws ProbeException {
    ScriptedTarget target = spilling();
    target.nanosPerFlight = TimeUnit.MILLISECONDS.toNanos(600); // 8 s for a trial; they live 60 s
    assertThat(cells(probe(target)))
        .containsExactly(37, 37, 150, 0, 0, 150, 150, 150, 150, 150, 150, 150);
    assertThat(target.entriesNow()).isZero();
  }

  @Test
  void switchTooSlowForItsRulesIsSaidToBeThat() {
    ScriptedTarget target = spilling();
    target.nanosPerFlight = TimeUnit.SECONDS.toNanos(5); // 70 s
    assertThatExceptionOfType(ProbeException.class)
        .isThrownBy(() -> probe(target))
        .withMessageContaining("that live for 60 s are gone before the last");
  }

  /** Small tables, many runs: whatever happens on the way, the cells are right. */
  @Test
  void neitherStallsNorSomeWrongAnswersChangeACell() throws ProbeException {
    for (long seed = 1; seed <= 200; seed++) {
      Random random = new Random(seed);
      int units = 8 + random.nextInt(40);
      ScriptedTarget target =
          new ScriptedTarget(units, true, fields -> fields.contains("ETH_SRC") ? 0 : 2);
      target.stalls = () -> random.nextInt(20) == 0;
      target.lies = () -> random.nextInt(2000) == 0;
      int fits = units / 2;
      assertThat(cells(probe(target)))
          .as("seed %d", seed)
          .containsExactly(fits, fits, fits, 0, fits, fits, fits, fits, fits, fits, fits, fits);
    }
  }

  @Test
  void switchThatAnswersAtRandomIsSaidToDoSo() {
    ScriptedTarget target = spilling();
    Random random = new Random(1);
    target.lies = random::nextBoolean;
    assertThatExceptionOfType(ProbeException.class)
        .isThrownBy(() -> probe(target))
        .withMessageContaining("the switch answers differently from one time to the next");
    assertThat(target.entriesNow()).isZero();
  }
}
