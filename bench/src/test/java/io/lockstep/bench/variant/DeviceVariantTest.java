package io.lockstep.bench.variant;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.bench.variant.DeviceVariant.Outcome;
import io.lockstep.bench.variant.VariantNode.TracedApplication;
import io.lockstep.core.app.Decision;
import io.lockstep.core.app.Instruction;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.Row;
import io.lockstep.store.codec.RowCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The device manager in each column of the paper's tables, on the real state machine. */
class DeviceVariantTest {
  private static final long A = 0x0200_0000_000aL;
  private static final long B = 0x0200_0000_000bL;
  private static final int IP = 0x0a00_0001;

  /** One node with its store; keeps what packets came to. */
  private static final class Managed {
    final PlayedStore store;
    final List<Outcome> outcomes = new ArrayList<>();
    private final DeviceVariant variant;
    private long nowMillis = 1_000;

    Managed(Variant variant) {
      store = new PlayedStore(TracedApplication.DEVICE_MANAGER, variant);
      this.variant = new DeviceVariant(variant);
    }

    /** A packet of a device; each comes a second after the one before. */
    Decision packet(long source, long target, int ip) {
      nowMillis += 1_000;
      DevicePacket packet = new DevicePacket(source, target, 0, ip, 7, 3, nowMillis);
      return store.end(
          variant.packetIn(
              packet,
              outcome -> {
                outcomes.add(outcome);
                return Decision.act(new Instruction.Count("done"));
              }));
    }

    Outcome last() {
      return outcomes.get(outcomes.size() - 1);
    }

    /** When a device was last seen, as the store has it. */
    long seenMillis(Bytes number) {
      if (variant.variant() == Variant.CACHE) {
        Reply seen = store.apply(new Command.Get(DeviceRecord.SEEN_TIMES, number));
        return new DeviceRecord(
                number, 0, Row.of(Map.of(DeviceRecord.SEEN, ((Reply.Found) seen).value())))
            .seenMillis();
      }
      Reply reply =
          variant.variant().has(Variant.COLS)
              ? store.apply(new Command.GetColumns(DeviceRecord.DEVICES, number, List.of()))
              : store.apply(new Command.Get(DeviceRecord.DEVICES, number));
      Row row =
          reply instanceof Reply.Columns columns
              ? columns.columns()
              : RowCodec.decode(((Reply.Found) reply).value());
      return new DeviceRecord(number, 0, row).seenMillis();
    }
  }

  @ParameterizedTest
  @EnumSource(value = Variant.class, mode = EnumSource.Mode.EXCLUDE, names = "OWN")
  void asksWhatThePaperAsksAndFindsBothDevices(Variant variant) {
    Managed managed = new Managed(variant);
    managed.packet(B, 0, IP + 1);
    managed.packet(A, B, IP);
    managed.store.assertLastAsInThePaper("dm-unknown", variant);
    assertThat(managed.last().isNew()).isTrue();
    Bytes a = managed.last().number();
    assertThat(requireNonNull(managed.last().target()).dpid()).isEqualTo(7);
    managed.store.passMillis(DeviceVariant.STALENESS_MILLIS);
    managed.packet(A, B, IP);
    managed.store.assertLastAsInThePaper("dm-known", variant);
    assertThat(managed.last().isNew()).isFalse();
    assertThat(managed.last().number()).isEqualTo(a);
    assertThat(requireNonNull(managed.last().target()).dpid()).isEqualTo(7);
    assertThat(managed.seenMillis(a)).isEqualTo(4_000);
    assertThat(managed.store.apply(new Command.Get(DeviceRecord.IPS, DeviceRecord.ipKey(IP))))
        .isInstanceOfSatisfying(Reply.Found.class, index -> assertThat(index.value()).isEqualTo(a));
  }

  private static boolean isReplaceOf(Command command, String table) {
    return (command instanceof Command.Replace replace && replace.table().equals(table))
        || (command instanceof Command.ReplaceColumns columns && columns.table().equals(table))
        || (command instanceof Command.PutIfAbsent put && put.table().equals(table))
        || (command instanceof Command.Call call
            && call.component().equals(ReplaceByValue.NAME)
            && call.argument().toUtf8().contains(table));
  }

  /** Another node writes the source before the next replaces of this one. */
  private static void rival(Managed managed, Bytes number, Variant variant, int times) {
    int[] left = {times};
    managed.store.meanwhile =
        command -> {
          if (isReplaceOf(command, DeviceRecord.DEVICES) && left[0] > 0) {
            Row row =
                Row.of(
                    Map.of(
                        DeviceRecord.POINTS,
                        DeviceRecord.number(left[0]),
                        DeviceRecord.SEEN,
                        DeviceRecord.time(left[0])));
            left[0]--;
            managed.store.apply(DeviceRecord.put(variant, number, row));
          }
        };
  }

  /** "If so, the process is restarted from the beginning": section VI-D. */
  @ParameterizedTest
  @EnumSource(
      value = Variant.class,
      names = {"INIT", "CREF", "VERS", "COLS"})
  void aSourceThatWasReplacedMeanwhileIsReadAgain(Variant variant) {
    Managed managed = new Managed(variant);
    managed.packet(A, 0, IP);
    Bytes a = managed.last().number();
    rival(managed, a, variant, 2);
    Decision decision = managed.packet(A, 0, IP);
    assertThat(PlayedStore.counted(decision, Attempts.RETRIED)).isEqualTo(2);
    assertThat(managed.seenMillis(a)).isEqualTo(3_000);
    int once = variant == Variant.INIT ? 3 : 2;
    assertThat(managed.store.sent()).isEqualTo(3 * once);
    assertThat(managed.store.last().conflicts()).isEqualTo(2);
    assertThat(managed.store.last().operations()).as("the last attempt").hasSize(once);
    rival(managed, a, variant, 100);
    assertThat(PlayedStore.counted(managed.packet(A, 0, IP), Attempts.GAVE_UP)).isEqualTo(1);
  }

  /** "If unsuccessful, the process is repeated from step 5": section VI-D. */
  @ParameterizedTest
  @EnumSource(
      value = Variant.class,
      names = {"INIT", "CREF", "VERS", "COLS"})
  void anIndexThatWasWrittenMeanwhileIsReadAgain(Variant variant) {
    Managed managed = new Managed(variant);
    Bytes other = DeviceRecord.number(99);
    int[] left = {2};
    managed.store.meanwhile =
        command -> {
          if (isReplaceOf(command, DeviceRecord.IPS) && left[0]-- > 0) {
            Bytes value = left[0] == 1 ? other : DeviceRecord.with(other, DeviceRecord.number(98));
            managed.store.apply(new Command.Put(DeviceRecord.IPS, DeviceRecord.ipKey(IP), value));
          }
        };
    Decision decision = managed.packet(A, 0, IP);
    assertThat(PlayedStore.counted(decision, Attempts.RETRIED)).isEqualTo(2);
    Bytes a = managed.last().number();
    assertThat(managed.store.apply(new Command.Get(DeviceRecord.IPS, DeviceRecord.ipKey(IP))))
        .isInstanceOfSatisfying(
            Reply.Found.class,
            index ->
                assertThat(index.value())
                    .isEqualTo(
                        DeviceRecord.with(DeviceRecord.with(other, DeviceRecord.number(98)), a)));
    assertThat(managed.packet(A, 0, IP)).isNotNull();
    assertThat(managed.last().number()).as("it was created once").isEqualTo(a);
  }

  /** Table II: the devices from the cache; the store refuses what was decided on an old source. */
  @Test
  void theCacheHasTheDevices() {
    Managed managed = new Managed(Variant.CACHE);
    managed.packet(B, 0, IP + 1);
    managed.packet(A, B, IP);
    Bytes a = managed.last().number();
    managed.store.passMillis(DeviceVariant.STALENESS_MILLIS);
    managed.packet(A, B, IP);
    assertThat(managed.store.sent()).isEqualTo(2);
    managed.packet(A, B, IP);
    assertThat(managed.store.sent()).as("best case").isEqualTo(1);
    assertThat(managed.seenMillis(a)).isEqualTo(5_000);
    managed.store.apply(
        new Command.PutColumns(
            DeviceRecord.DEVICES, a, Row.of(Map.of("vlan", DeviceRecord.number(1)))));
    Decision decision = managed.packet(A, B, IP);
    assertThat(PlayedStore.counted(decision, Attempts.RETRIED)).isEqualTo(1);
    assertThat(managed.store.sent()).isEqualTo(3);
    assertThat(managed.seenMillis(a)).isEqualTo(6_000);
  }

  /** An absence from the cache creates no second device. */
  @Test
  void aDeviceThatTheCacheDoesNotKnowYetIsNotCreatedTwice() {
    Managed managed = new Managed(Variant.CACHE);
    managed.packet(A, B, IP);
    Bytes a = managed.last().number();
    Decision decision = managed.packet(A, B, IP);
    assertThat(managed.last().isNew()).isFalse();
    assertThat(managed.last().number()).isEqualTo(a);
    assertThat(PlayedStore.counted(decision, Attempts.RETRIED)).isEqualTo(1);
  }
}
