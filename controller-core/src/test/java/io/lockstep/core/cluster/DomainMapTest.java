package io.lockstep.core.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.store.Bytes;
import io.lockstep.store.codec.ByteWriter;
import io.lockstep.store.codec.CodecException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The rules of a map of domains, its encoding, and how a file is compared with it. */
class DomainMapTest {
  private static final DomainsTable TABLE = new DomainsTable();

  private static DomainConfig domain(String name, List<String> masters, long... bounds) {
    List<DpidRange> ranges = new ArrayList<>();
    for (int i = 0; i < bounds.length; i += 2) {
      ranges.add(new DpidRange(bounds[i], bounds[i + 1]));
    }
    return new DomainConfig(name, ranges, masters);
  }

  private static DomainMap map(DomainConfig... domains) {
    return DomainMap.of(List.of(domains));
  }

  private static String of(DomainMap map, long dpid) {
    DomainConfig domain = map.domainOf(dpid);
    return domain == null ? "-" : domain.name();
  }

  @Test
  void aSwitchBelongsToTheDomainWhoseRangeContainsItAsAnUnsignedNumber() {
    DomainMap map = map(domain("west", List.of(), 1, 4, 9, 9), domain("east", List.of(), -16, -1));
    assertThat(List.of(of(map, 0), of(map, 1), of(map, 4), of(map, 5), of(map, 9)))
        .containsExactly("-", "west", "west", "-", "west");
    assertThat(List.of(of(map, 10), of(map, -17), of(map, -16), of(map, -1)))
        .containsExactly("-", "-", "east", "east");
    assertThat(of(map(domain("all", List.of(), 0, -1)), Long.MIN_VALUE)).isEqualTo("all");
  }

  @Test
  void adjacentRangesAreMergedSoEqualMapsAreEqualInEveryByte() {
    DomainMap listed = map(domain("west", List.of("n1"), 3, 3, 1, 1, 2, 2, 7, 8));
    DomainMap range = map(domain("west", List.of("n1"), 1, 3, 7, 8));
    assertThat(listed).isEqualTo(range);
    assertThat(encoded(listed)).isEqualTo(encoded(range));
    assertThat(listed.domains().get(0).dpids()).hasToString("[1-3, 7-8]");
  }

  @Test
  void aBrokenRuleIsRefusedWithItsPlace() {
    assertThatThrownBy(() -> map(domain("a", List.of(), 1, 4), domain("b", List.of(), 9, 9, 4, 5)))
        .hasMessage("domains[1].switches[1]: '4-5' overlaps with switches of domain 'a'");
    assertThatThrownBy(() -> map(domain("a", List.of(), 1, 1), domain("b", List.of(), 0, -1)))
        .hasMessage(
            "domains[1].switches[0]: '0-ffffffffffffffff' overlaps with switches of domain 'a'");
    assertThatThrownBy(() -> map(domain("a", List.of(), 1, 1), domain("a", List.of(), 2, 2)))
        .hasMessage("domains[1]: 'a' is there twice");
    assertThatThrownBy(() -> map(domain("a", List.of())))
        .hasMessage("domains[0].switches: no switch");
    assertThatThrownBy(() -> map(domain("a", List.of("n1", "n1"), 1, 1)))
        .hasMessage("domains[0].masters[1]: 'n1' is there twice");
    assertThatThrownBy(() -> map(domain("a", List.of("n 1"), 1, 1)))
        .hasMessage("domains[0].masters[0]: 'n 1' is not a node id");
  }

  @Test
  void switchesMoveBetweenDomainsAndOutOfThem() {
    DomainMap map = map(domain("west", List.of("n1"), 1, 8), domain("east", List.of("n2"), 16, 24));
    DomainMap moved = map.with(new DpidRange(4, 5), "east");
    assertThat(moved.domains())
        .extracting(one -> one.dpids().toString())
        .containsExactly("[1-3, 6-8]", "[4-5, 10-18]");
    assertThat(moved.with(new DpidRange(4, 5), "west")).isEqualTo(map);
    assertThat(of(map.with(new DpidRange(7, 17), null), 16)).isEqualTo("-");
    assertThat(map.agrees(moved, 4)).isFalse();
    assertThat(map.agrees(moved, 3)).isTrue();
    assertThat(map.agrees(moved, 99)).isTrue();
    assertThatThrownBy(() -> map.with(new DpidRange(1, 1), "norht"))
        .hasMessage("domain: there is no domain 'norht'");
    assertThatThrownBy(() -> map.with(new DpidRange(0, 9), "east"))
        .hasMessage("domain: 'west' would have no switch left");
  }

  @Test
  void domainsThatNameNoMastersGetAllNodesEachBeginningWithAnother() {
    DomainMap map =
        map(
                domain("a", List.of(), 1, 1),
                domain("b", List.of("n3"), 2, 2),
                domain("c", List.of(), 3, 3))
            .withMasters(Set.of("n2", "n1", "n3"));
    assertThat(map.domains())
        .extracting(DomainConfig::preferredMasters)
        .containsExactly(List.of("n1", "n2", "n3"), List.of("n3"), List.of("n3", "n1", "n2"));
  }

  @Test
  void aRecordComesBackAndEveryTruncationIsRefused() {
    StoredDomains stored =
        StoredDomains.of(
            7, 41, map(domain("west", List.of("n1"), 1, 3), domain("east", List.of(), 16, 16)));
    Bytes bytes = TABLE.encodeValue(stored);
    assertThat(bytes.toString())
        .isEqualTo(
            "0100000000000000070000000000000029"
                + "020477657374"
                + "01026e31"
                + "0100000000000000010000000000000003"
                + "0465617374"
                + "00"
                + "0100000000000000100000000000000010");
    assertThat(TABLE.decodeValue(bytes)).isEqualTo(stored);
    assertThat(DomainsTable.versionOf(bytes)).isEqualTo(7);
    byte[] whole = bytes.toArray();
    for (int length = 0; length < whole.length; length++) {
      Bytes cut = Bytes.wrap(Arrays.copyOf(whole, length));
      assertThatThrownBy(() -> TABLE.decodeValue(cut)).isInstanceOf(CodecException.class);
    }
    Bytes longer = Bytes.wrap(Arrays.copyOf(whole, whole.length + 1));
    assertThatThrownBy(() -> TABLE.decodeValue(longer)).isInstanceOf(CodecException.class);
  }

  @Test
  void aRecordOfANewerFormatIsKnownToBeOneAndNothingElseOfIt() {
    StoredDomains newer = TABLE.decodeValue(Bytes.wrap(new byte[] {2, 9, 9}));
    assertThat(newer.readable()).isFalse();
    assertThat(newer.format()).isEqualTo(2);
    assertThat(DomainsTable.versionOf(Bytes.wrap(new byte[] {2, 9, 9}))).isEqualTo(-1);
    assertThatThrownBy(() -> TABLE.decodeValue(Bytes.wrap(new byte[] {0, 9, 9})))
        .hasMessageContaining("found version 0");
  }

  @Test
  void theLargestMapFitsAndOneRangeMoreIsRefused() {
    List<DpidRange> ranges = new ArrayList<>();
    for (long i = 0; i < DomainMap.MAX_RANGES; i++) {
      ranges.add(new DpidRange(2 * i, 2 * i));
    }
    DomainMap map = DomainMap.of(List.of(new DomainConfig("all", ranges, List.of())));
    assertThat(TABLE.encodeValue(StoredDomains.of(1, 0, map)).length())
        .isGreaterThan(DomainMap.MAX_RANGES * 16)
        .isLessThan(1 << 20);
    ranges.add(new DpidRange(-1, -1));
    assertThatThrownBy(() -> DomainMap.of(List.of(new DomainConfig("all", ranges, List.of()))))
        .hasMessageContaining("more than " + DomainMap.MAX_RANGES + " ranges");
  }

  @Test
  void aMapOfTooManyBytesIsRefused() {
    List<String> masters = new ArrayList<>();
    for (int i = 0; i < DomainMap.MAX_MASTERS; i++) {
      masters.add("n" + i + "x".repeat(60));
    }
    List<DomainConfig> domains = new ArrayList<>();
    for (int i = 0; i < DomainMap.MAX_DOMAINS; i++) {
      domains.add(domain("d" + i, masters, i, i));
    }
    assertThatThrownBy(() -> DomainMap.of(domains))
        .hasMessageContaining("more than " + DomainMap.MAX_BYTES + " bytes in all domains");
    assertThat(encoded(DomainMap.of(domains.subList(0, 240)))).isNotEmpty();
    DomainMap bare =
        DomainMap.of(
            domains.stream()
                .map(one -> new DomainConfig(one.name(), one.dpids(), List.of()))
                .toList());
    assertThatThrownBy(() -> bare.withMasters(Set.copyOf(masters)))
        .as("the order of masters is written, too")
        .hasMessageContaining("bytes in all domains");
    domains.add(domain("more", List.of(), 5000, 5000));
    assertThatThrownBy(() -> DomainMap.of(domains))
        .hasMessage("domains: more than " + DomainMap.MAX_DOMAINS + " domains");
  }

  @Test
  void aFileIsComparedBySwitchesAndByTheMastersThatItNames() {
    DomainMap inForce =
        map(domain("west", List.of("n1", "n2"), 1, 4), domain("east", List.of("n2", "n1"), 16, 16));
    assertThat(
            differences(
                inForce, domain("east", List.of(), 16, 16), domain("west", List.of(), 1, 2, 3, 4)))
        .isEmpty();
    assertThat(
            differences(
                inForce,
                domain("west", List.of("n2", "n1"), 1, 3),
                domain("north", List.of("n1"), 16, 16)))
        .containsExactly(
            new Difference("n1", "/n1.yaml", "domain west: switches", "1-3", "1-4"),
            new Difference("n1", "/n1.yaml", "domain west: masters", "n2, n1", "n1, n2"),
            new Difference("n1", "/n1.yaml", "domain north: switches", "10", "-"),
            new Difference("n1", "/n1.yaml", "domain east: switches", "-", "10"));
  }

  private static List<Difference> differences(DomainMap inForce, DomainConfig... file) {
    return DomainDifferences.of("n1", "/n1.yaml", List.of(file), inForce);
  }

  private static String encoded(DomainMap map) {
    ByteWriter out = new ByteWriter();
    DomainsTable.write(out, map);
    return Objects.requireNonNull(out.toBytes()).toString();
  }
}
