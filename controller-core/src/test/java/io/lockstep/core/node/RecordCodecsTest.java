package io.lockstep.core.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.lockstep.core.cluster.ApplicationTable;
import io.lockstep.core.cluster.ConnectionTable;
import io.lockstep.core.cluster.DrainTable;
import io.lockstep.core.cluster.DrainedNode;
import io.lockstep.core.cluster.FollowerTable;
import io.lockstep.core.cluster.ListedProcess;
import io.lockstep.core.cluster.MemberList;
import io.lockstep.core.cluster.MemberListTable;
import io.lockstep.core.cluster.NodeRecord;
import io.lockstep.core.cluster.NodeSummary;
import io.lockstep.core.cluster.NodeTable;
import io.lockstep.core.cluster.SessionTable;
import io.lockstep.core.cluster.SummaryTable;
import io.lockstep.core.device.DeviceRecord;
import io.lockstep.core.device.DeviceTable;
import io.lockstep.core.device.PortRecord;
import io.lockstep.core.device.PortTable;
import io.lockstep.core.mastership.DelegationRecord;
import io.lockstep.core.mastership.DelegationTable;
import io.lockstep.core.mastership.DomainRecord;
import io.lockstep.core.mastership.DomainTable;
import io.lockstep.core.mastership.HandOverPlan;
import io.lockstep.core.mastership.HandOverTable;
import io.lockstep.core.mastership.Move;
import io.lockstep.core.mastership.MoveTable;
import io.lockstep.core.southbound.SwitchFeatures;
import io.lockstep.core.state.RecordCodec;
import io.lockstep.store.Bytes;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.onosproject.net.Port;

/**
 * Every record of the node: round trip, golden bytes, truncation at every byte, unknown version.
 */
class RecordCodecsTest {

  /** A record, and what it must look like to nodes of other versions. */
  record Sample<K, V>(RecordCodec<K, V> codec, K key, String keyHex, V value, String valueHex) {
    @Override
    public String toString() {
      return codec.getClass().getSimpleName();
    }
  }

  static Stream<Sample<?, ?>> samples() {
    SwitchFeatures features = new SwitchFeatures("p", "r", "m", "h", "s", "n", "d", 256, 4);
    return Stream.of(
        new Sample<>(
            new DomainTable(),
            "east",
            "65617374",
            new DomainRecord("n1", 5, 6, 7),
            "01026e31000000000000000500000000000000060000000000000007"),
        new Sample<>(
            new SummaryTable(),
            "n1",
            "6e31",
            new NodeSummary(5, 7, Bytes.utf8("{}")),
            "0100000000000000050000000000000007027b7d"),
        new Sample<>(
            new DelegationTable(),
            17L,
            "0000000000000011",
            new DelegationRecord("east", "n1", 5, 6),
            "010465617374026e3100000000000000050000000000000006"),
        new Sample<>(
            new HandOverTable(),
            "east",
            "65617374",
            new HandOverPlan(7, "n1", 5, true),
            "010000000000000007026e31000000000000000501"),
        new Sample<>(
            new MoveTable(),
            "east",
            "65617374",
            new Move("n1", 5, 7, true),
            "01026e310000000000000005000000000000000701"),
        new Sample<>(
            new DrainTable(),
            DrainTable.KEY,
            "6e6f646573",
            List.of(new DrainedNode("n1", 7)),
            "0101026e310000000000000007"),
        new Sample<>(
            new NodeTable(),
            "n1",
            "6e31",
            new NodeRecord(5, "h", 65_535, "v", true, 7),
            "0100000000000000050168ffff0176010000000000000007"),
        new Sample<>(
            new FollowerTable(),
            "n1",
            "6e31",
            new FollowerTable.Follower(5, 7),
            "0100000000000000050000000000000007"),
        new Sample<>(
            new MemberListTable(),
            "n1",
            "6e31",
            new MemberList(
                "/f",
                List.of(
                    new ListedProcess(ListedProcess.Kind.REPLICA, "n2", "h", 7100),
                    new ListedProcess(ListedProcess.Kind.NODE, "n1", "g", 7102))),
            "01022f6602" + "00026e3101671bbe" + "01026e3201681bbc"),
        new Sample<>(
            new ConnectionTable(),
            new ConnectionTable.Key("n1", 17),
            "026e310000000000000011",
            5L,
            "010000000000000005"),
        new Sample<>(
            new DeviceTable(),
            17L,
            "0000000000000011",
            new DeviceRecord(features, true, "n1", 7),
            "010170017201"
                + "6d01680173016e0164"
                + "000000000000010000000004"
                + "01026e310000000000000007"),
        new Sample<>(
            new PortTable(),
            new PortTable.Key(17, 0xffff_fffeL),
            "000000000000001100000000fffffffe",
            new PortRecord("eth1", true, Port.Type.COPPER, 1_000),
            "01046574683101" + "06434f50504552" + "00000000000003e8"));
  }

  static Stream<Sample<?, ?>> plainSamples() {
    return Stream.of(
        new Sample<>(new SessionTable(), 5L, "0000000000000005", "n1", "6e31"),
        new Sample<>(new ApplicationTable(), "fwd", "667764", (short) 3, "0000000000000003"));
  }

  @ParameterizedTest
  @MethodSource({"samples", "plainSamples"})
  <K, V> void roundTripAndGoldenBytes(Sample<K, V> sample) {
    Bytes key = sample.codec().encodeKey(sample.key());
    Bytes value = sample.codec().encodeValue(sample.value());
    assertThat(key.toString()).isEqualTo(sample.keyHex());
    assertThat(value.toString()).isEqualTo(sample.valueHex());
    assertThat(sample.codec().decodeKey(key)).isEqualTo(sample.key());
    assertThat(sample.codec().decodeValue(value)).isEqualTo(sample.value());
  }

  @ParameterizedTest
  @MethodSource("samples")
  <K, V> void truncationAtEveryByteTrailingBytesAndOtherVersionsAreRefused(Sample<K, V> sample) {
    byte[] whole = sample.codec().encodeValue(sample.value()).toArray();
    for (int length = 0; length < whole.length; length++) {
      Bytes cut = Bytes.wrap(Arrays.copyOf(whole, length));
      assertThat(catchThrowable(() -> sample.codec().decodeValue(cut)))
          .as("cut to %d bytes", length)
          .isInstanceOf(RuntimeException.class);
    }
    Bytes longer = Bytes.wrap(Arrays.copyOf(whole, whole.length + 1));
    assertThat(catchThrowable(() -> sample.codec().decodeValue(longer)))
        .isInstanceOf(RuntimeException.class);
    byte[] other = whole.clone();
    other[0] = 99;
    assertThat(catchThrowable(() -> sample.codec().decodeValue(Bytes.wrap(other))))
        .hasMessageContaining("version 99");
  }
}
