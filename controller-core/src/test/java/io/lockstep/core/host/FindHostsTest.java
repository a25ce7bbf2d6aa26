package io.lockstep.core.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.link.SwitchPort;
import io.lockstep.core.mastership.ClaimDomain;
import io.lockstep.core.mastership.Fence;
import io.lockstep.core.mastership.PureStore;
import io.lockstep.core.node.CoreComponents;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FindHostsTest {
  private static final Fence EAST = new Fence("east", 1);
  private static final SwitchPort HERE = new SwitchPort(0x1f, 3);
  private static final SwitchPort THERE = new SwitchPort(0x1f, 4);

  private final PureStore store = new PureStore(CoreComponents.all());
  private final long n1 = store.open("n1");

  FindHostsTest() {
    store.call(n1, ClaimDomain.COMPONENT, ClaimDomain.Claim.of("east", "n1", 0, 0));
  }

  private void see(HostSighting seen) {
    store.call(
        n1, ChangeHosts.COMPONENT, List.of(ChangeHosts.part(EAST, new HostChange.See(seen))));
  }

  private FindHosts.Found find(HostQuery query) {
    Reply reply =
        store.run(
            n1,
            new Command.Query(
                FindHosts.COMPONENT.name(), FindHosts.COMPONENT.argument().encode(query)));
    return FindHosts.COMPONENT.result().decode(((Reply.Returned) reply).result());
  }

  private List<HostKey> find(String text) {
    return find(HostQuery.parse(text).orElseThrow()).hosts().stream()
        .map(FindHosts.Keyed::key)
        .toList();
  }

  @Test
  void hostsAreFoundByEachOfTheirAddressesAndByTheirPlace() {
    HostKey one = new HostKey(0x0200_0000_0001L, -1);
    HostKey tagged = new HostKey(0x0200_0000_0001L, 7);
    HostKey two = new HostKey(0x0200_0000_0002L, -1);
    see(new HostSighting(one, HERE, 0x0a00_0001, null, true));
    see(new HostSighting(one, HERE, 0, new Ip6(0xfe80L << 48, 1), true));
    see(new HostSighting(tagged, THERE, 0x0a00_0001, null, false));
    see(new HostSighting(two, HERE, 0x0a00_0002, null, true));
    assertThat(find("02:00:00:00:00:01")).containsExactlyInAnyOrder(one, tagged);
    assertThat(find("02-00-00-00-00-02")).containsExactly(two);
    assertThat(find("10.0.0.1")).containsExactlyInAnyOrder(one, tagged);
    assertThat(find("fe80::1")).containsExactly(one);
    assertThat(find("1f/3")).containsExactlyInAnyOrder(one, two);
    assertThat(find("of:000000000000001f/4")).containsExactly(tagged);
    assertThat(find("0x1f")).containsExactlyInAnyOrder(one, two, tagged);
    assertThat(find("10.0.0.9")).isEmpty();
    assertThat(find("20")).isEmpty();
    assertThat(find(HostQuery.all()).hosts()).hasSize(3);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "h1",
        "10.0.0",
        "10.0.0.300",
        "02:00:00:00:00",
        "1f/",
        "1f/x",
        "fe80::g",
        "::::"
      })
  void textThatNamesNothingIsNoQuery(String text) {
    assertThat(HostQuery.parse(text)).isEmpty();
  }

  @Test
  void manyHostsComeInPages() {
    int count = 2 * FindHosts.MAX_HOSTS + 5;
    for (int i = 0; i < count; i++) {
      see(HostSighting.of(new HostKey(1 + i, -1), new SwitchPort(1, 1 + i / 1_000)));
    }
    for (HostQuery query : List.of(HostQuery.all(), HostQuery.parse("1").orElseThrow())) {
      List<HostKey> all = new ArrayList<>();
      HostQuery next = query;
      List<Integer> pages = new ArrayList<>();
      boolean more = true;
      while (more) {
        FindHosts.Found found = find(next);
        found.hosts().forEach(one -> all.add(one.key()));
        pages.add(found.hosts().size());
        more = found.more();
        next = next.behind(found.hosts().get(found.hosts().size() - 1));
      }
      assertThat(pages).containsExactly(FindHosts.MAX_HOSTS, FindHosts.MAX_HOSTS, 5);
      assertThat(all).hasSize(count).doesNotHaveDuplicates();
    }
  }

  @Test
  void queryThatIsCutAnywhereIsRefused() {
    HostQuery query = HostQuery.parse("10.0.0.1").orElseThrow();
    HostSighting last = HostSighting.of(new HostKey(5, -1), HERE);
    see(last);
    FindHosts.Keyed keyed = find(HostQuery.all()).hosts().get(0);
    byte[] whole = FindHosts.COMPONENT.argument().encode(query.behind(keyed)).toArray();
    for (int length = 0; length < whole.length; length++) {
      Bytes cut = Bytes.wrap(Arrays.copyOf(whole, length));
      assertThat(store.run(n1, new Command.Query(FindHosts.COMPONENT.name(), cut)))
          .isInstanceOf(Reply.Rejected.class);
    }
  }
}
