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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Records and indexes of hosts in the store's own state machine, after changes drawn by chance. */
class HostEntitiesTest {
  private static final int SEEDS = 60;
  private static final int STEPS = 200;
  private static final int HOSTS = 8;
  private static final Fence EAST = new Fence("east", 1);

  private final PureStore store = new PureStore(CoreComponents.all());
  private final long n1 = store.open("n1");
  private final HostTableReader reader = new HostTableReader(store, n1);

  HostEntitiesTest() {
    store.call(n1, ClaimDomain.COMPONENT, ClaimDomain.Claim.of("east", "n1", 0, 0));
  }

  private static HostSighting sighting(HostKey host, SwitchPort place, int ip) {
    return new HostSighting(host, place, ip, null, true);
  }

  private HostOutcome change(HostChange change) {
    return store.call(n1, ChangeHosts.COMPONENT, List.of(ChangeHosts.part(EAST, change))).get(0);
  }

  /** Writes the claim of a move, as the master of the new place does; gives its version. */
  private long claim(HostKey key, SwitchPort to) {
    Reply reply =
        store.run(
            n1,
            new Command.Put(
                HostTable.MOVES,
                HostTable.CODEC.encodeKey(key),
                HostTable.CODEC.encodeValue(HostRecord.at(to, 1))));
    return ((Reply.Applied) reply).version();
  }

  /** What the records should be: the same rules without indexes, counts and bytes. */
  private static final class Model {
    final Map<HostKey, HostRecord> hosts = new HashMap<>();
    final Map<HostKey, Long> claims = new HashMap<>();
    final Map<HostKey, HostRecord> old = new HashMap<>();

    HostOutcome see(HostSighting seen) {
      HostRecord known = hosts.getOrDefault(seen.host(), HostRecord.at(seen.place(), 0));
      if (!known.location().equals(seen.place())) {
        return HostOutcome.STALE;
      }
      hosts.put(seen.host(), known.with(seen));
      return HostOutcome.DONE;
    }

    HostOutcome move(HostSighting seen, SwitchPort from, long version) {
      HostRecord known = hosts.get(seen.host());
      boolean current =
          version == 0
              ? known == null || List.of(from, seen.place()).contains(known.location())
              : claims.getOrDefault(seen.host(), 0L) == version;
      if (!current) {
        return HostOutcome.STALE;
      }
      claims.remove(seen.host());
      if (known != null) {
        hosts.put(seen.host(), known.movedTo(seen.place(), 0));
      }
      return see(seen);
    }

    void expire(SwitchPort place, List<HostKey> gone) {
      for (HostKey key : gone) {
        HostRecord known = hosts.get(key);
        if (known == null || known.location().equals(place)) {
          hosts.remove(key);
          claims.remove(key);
        }
      }
    }

    void adopt(List<HostKey> known) {
      for (HostKey key : known) {
        HostRecord record = old.remove(key);
        if (record != null) {
          hosts.putIfAbsent(key, record.movedTo(record.location(), 0));
        }
      }
    }

    /** Equal records, times left out. */
    static HostRecord timeless(HostRecord host) {
      return host.movedTo(host.location(), 0);
    }
  }

  private static SwitchPort port(Random random) {
    return new SwitchPort(1 + random.nextInt(2), 1 + random.nextInt(2));
  }

  private static HostKey host(Random random) {
    return new HostKey(0x0200_0000_0000L + random.nextInt(HOSTS), random.nextBoolean() ? -1 : 7);
  }

  /** Few addresses, so that hosts share them, and more than a host can have. */
  private static HostSighting drawn(Random random) {
    int kind = random.nextInt(4);
    int ip = kind < 2 ? 0x0a00_0000 + random.nextInt(12) : 0;
    Ip6 ip6 = kind == 2 ? new Ip6(0xfe80L << 48, random.nextInt(12)) : null;
    return new HostSighting(host(random), port(random), ip, ip6, random.nextBoolean());
  }

  private static List<HostKey> some(Random random) {
    List<HostKey> hosts = new ArrayList<>();
    for (int i = random.nextInt(4); i >= 0; i--) {
      hosts.add(host(random));
    }
    return hosts;
  }

  private void step(Model model, Random random) {
    HostSighting seen = drawn(random);
    switch (random.nextInt(8)) {
      case 0, 1, 2 -> assertThat(change(new HostChange.See(seen))).isEqualTo(model.see(seen));
      case 3 -> {
        SwitchPort from = port(random);
        assertThat(change(new HostChange.Move(seen, from, 0))).isEqualTo(model.move(seen, from, 0));
      }
      case 4 -> model.claims.put(seen.host(), claim(seen.host(), seen.place()));
      case 5 -> {
        // Mostly the claim in force, sometimes one that was replaced or withdrawn.
        long version = model.claims.getOrDefault(seen.host(), 5L) - (random.nextInt(4) / 3);
        SwitchPort from = port(random);
        assertThat(change(new HostChange.Move(seen, from, version)))
            .isEqualTo(model.move(seen, from, version));
      }
      case 6 -> {
        SwitchPort place = port(random);
        List<HostKey> gone = some(random);
        assertThat(change(new HostChange.Expire(place, gone))).isEqualTo(HostOutcome.DONE);
        model.expire(place, gone);
      }
      default -> {
        HostRecord record = HostRecord.at(seen.place(), 9).with(seen);
        model.old.put(seen.host(), record);
        store.run(
            n1,
            new Command.Put(
                HostTable.HOSTS,
                HostTable.CODEC.encodeKey(seen.host()),
                HostTable.CODEC.encodeValue(record)));
        List<HostKey> known = some(random);
        assertThat(change(new HostChange.Adopt(known))).isEqualTo(HostOutcome.DONE);
        model.adopt(known);
      }
    }
  }

  private void compare(Model model) {
    Map<HostKey, HostRecord> found = new HashMap<>();
    reader.hosts().forEach((key, entity) -> found.put(key, Model.timeless(entity.host())));
    Map<HostKey, HostRecord> expected = new HashMap<>();
    model.hosts.forEach((key, host) -> expected.put(key, Model.timeless(host)));
    assertThat(found).isEqualTo(expected);
    assertThat(reader.contradictions()).isEmpty();
    assertThat(reader.table(HostTable.MOVES)).hasSize(model.claims.size());
    assertThat(reader.table(HostTable.HOSTS)).hasSize(model.old.size());
  }

  /** {@code -Dlockstep.sim.seed=N} runs one seed again. */
  @Test
  void recordsAreThoseOfTheModelAndIndexesAgreeAfterEachChange() {
    Long only = Long.getLong("lockstep.sim.seed");
    int count = Math.max(1, SEEDS * Integer.getInteger("lockstep.sim.percent", 100) / 100);
    for (long seed = only == null ? 1 : only; seed <= (only == null ? count : only); seed++) {
      HostEntitiesTest fresh = new HostEntitiesTest();
      Model model = new Model();
      Random random = new Random(seed);
      for (int i = 0; i < STEPS; i++) {
        try {
          fresh.step(model, random);
          fresh.compare(model);
        } catch (AssertionError wrong) {
          throw new AssertionError("seed " + seed + ", step " + i, wrong);
        }
      }
    }
  }

  private static HostKey numbered(long number) {
    return new HostKey(0x0200_0000_0000L + number, -1);
  }

  private void fill(SwitchPort port, long first, int count) {
    List<Bytes> parts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      HostSighting seen = sighting(numbered(first + i), port, 0);
      parts.add(ChangeHosts.part(EAST, new HostChange.See(seen)));
      if (parts.size() == ChangeHosts.MAX_HOSTS || i == count - 1) {
        assertThat(store.call(n1, ChangeHosts.COMPONENT, parts)).containsOnly(HostOutcome.DONE);
        parts.clear();
      }
    }
  }

  @Test
  void portHasAsManyHostsAsItMayAndAnotherPortIsNotConcerned() {
    SwitchPort full = new SwitchPort(1, 1);
    SwitchPort other = new SwitchPort(1, 2);
    fill(full, 0, HostEntities.MAX_HOSTS_AT_PORT);
    HostKey late = numbered(100_000);
    assertThat(change(new HostChange.See(sighting(late, full, 1)))).isEqualTo(HostOutcome.FULL);
    assertThat(change(new HostChange.See(sighting(late, other, 1)))).isEqualTo(HostOutcome.DONE);
    assertThat(change(new HostChange.See(sighting(numbered(3), full, 2))))
        .as("a host that is there gets its address")
        .isEqualTo(HostOutcome.DONE);
    HostChange toFull = new HostChange.Move(sighting(late, full, 0), other, 0);
    assertThat(change(toFull)).isEqualTo(HostOutcome.FULL);
    assertThat(reader.hosts()).as("it is removed, as if it were new").doesNotContainKey(late);
    change(new HostChange.Expire(full, List.of(numbered(7))));
    assertThat(change(toFull)).isEqualTo(HostOutcome.DONE);
    assertThat(reader.contradictions()).isEmpty();
  }

  @Test
  void switchHasAsManyHostsAsItMay() {
    int ports = HostEntities.MAX_HOSTS_AT_SWITCH / 1_000;
    for (int port = 1; port <= ports; port++) {
      fill(new SwitchPort(1, port), port * 1_000L, 1_000);
    }
    fill(new SwitchPort(1, 99), 50_000, HostEntities.MAX_HOSTS_AT_SWITCH % 1_000);
    HostKey late = numbered(100_000);
    HostChange here = new HostChange.See(sighting(late, new SwitchPort(1, 100), 1));
    assertThat(change(here)).isEqualTo(HostOutcome.FULL);
    assertThat(change(new HostChange.See(sighting(late, new SwitchPort(2, 1), 1))))
        .isEqualTo(HostOutcome.DONE);
    HostSighting within = sighting(numbered(50_000), new SwitchPort(1, 100), 0);
    assertThat(change(new HostChange.Move(within, new SwitchPort(1, 99), 0)))
        .as("a host that is at the switch already")
        .isEqualTo(HostOutcome.DONE);
    assertThat(reader.contradictions()).isEmpty();
  }

  @Test
  void portHasAsManyAddressesAsItMay() {
    SwitchPort port = new SwitchPort(1, 1);
    int each = HostRecord.MAX_IPS;
    int hosts = HostEntities.MAX_ADDRESSES_AT_PORT / each;
    fill(port, 0, hosts + 1);
    for (int i = 0; i < hosts; i++) {
      List<Bytes> parts = new ArrayList<>();
      for (int ip = 0; ip < each; ip++) {
        HostSighting seen = sighting(numbered(i), port, 1 + i * each + ip);
        parts.add(ChangeHosts.part(EAST, new HostChange.See(seen)));
      }
      assertThat(store.call(n1, ChangeHosts.COMPONENT, parts)).containsOnly(HostOutcome.DONE);
    }
    HostSighting oneMore = sighting(numbered(hosts), port, 0x0b00_0001);
    assertThat(change(new HostChange.See(oneMore))).isEqualTo(HostOutcome.FULL);
    assertThat(change(new HostChange.See(sighting(numbered(0), port, 0x0b00_0001))))
        .as("one that takes the place of another")
        .isEqualTo(HostOutcome.DONE);
    assertThat(change(new HostChange.See(sighting(numbered(90_000), port, 0x0b00_0002))))
        .as("a new host is recorded without its address")
        .isEqualTo(HostOutcome.DONE);
    assertThat(entity(numbered(90_000)).host().hasAnyAddress()).isFalse();
    assertThat(reader.contradictions()).isEmpty();
  }

  private HostEntity entity(HostKey key) {
    return Objects.requireNonNull(reader.hosts().get(key));
  }

  @Test
  void recordSaysWhenAHostWasSeenAndWhereItWas() {
    HostKey key = numbered(1);
    change(new HostChange.See(sighting(key, new SwitchPort(1, 1), 1)));
    HostEntity first = entity(key);
    assertThat(first.firstSeenMillis()).isEqualTo(first.lastSeenMillis());
    change(new HostChange.See(sighting(key, new SwitchPort(1, 1), 0)));
    HostEntity again = entity(key);
    assertThat(again.firstSeenMillis()).isEqualTo(first.firstSeenMillis());
    assertThat(again.lastSeenMillis()).isGreaterThan(first.lastSeenMillis());
    for (int port = 2; port <= 6; port++) {
      HostSighting seen = sighting(key, new SwitchPort(1, port), 0);
      change(new HostChange.Move(seen, new SwitchPort(1, port - 1), 0));
    }
    HostEntity moved = entity(key);
    assertThat(moved.place()).isEqualTo(new SwitchPort(1, 6));
    assertThat(moved.former().stream().map(HostEntity.Stay::place))
        .containsExactly(new SwitchPort(1, 5), new SwitchPort(1, 4), new SwitchPort(1, 3));
    assertThat(moved.former().get(0).untilMillis()).isEqualTo(moved.host().sinceMillis());
    assertThat(moved.host().ips()).as("addresses go with it").containsExactly(1);
  }

  @Test
  void recordOfAnEarlierReleaseThatCannotBeReadIsDropped() {
    HostKey key = numbered(1);
    Bytes bytes = Bytes.wrap(new byte[] {9, 9});
    store.run(n1, new Command.Put(HostTable.HOSTS, HostTable.CODEC.encodeKey(key), bytes));
    assertThat(change(new HostChange.Adopt(List.of(key)))).isEqualTo(HostOutcome.DONE);
    assertThat(reader.table(HostTable.HOSTS)).isEmpty();
    assertThat(reader.hosts()).isEmpty();
  }
}
