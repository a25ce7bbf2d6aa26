package io.lockstep.core.host;

import io.lockstep.core.link.SwitchPort;
import io.lockstep.core.mastership.PureStore;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Entry;
import io.lockstep.store.Reply;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads the tables of hosts in a store, and says where they contradict each other. */
final class HostTableReader {
  private static final int MOST = 10_000;

  private final PureStore store;
  private final long session;

  HostTableReader(PureStore store, long session) {
    this.store = store;
    this.session = session;
  }

  /** All entries of a table. */
  private List<Entry> entries(String name) {
    List<Entry> all = new ArrayList<>();
    Bytes from = Bytes.empty();
    while (true) {
      Reply.Entries page =
          (Reply.Entries) store.run(session, new Command.Scan(name, from, null, MOST));
      all.addAll(page.entries());
      if (!page.more()) {
        return all;
      }
      from = HostIndexes.key(all.get(all.size() - 1).key(), Bytes.wrap(new byte[1]));
    }
  }

  /** A table. */
  Map<Bytes, Bytes> table(String name) {
    Map<Bytes, Bytes> all = new HashMap<>();
    entries(name).forEach(entry -> all.put(entry.key(), entry.value()));
    return all;
  }

  /** The records. */
  Map<HostKey, HostEntity> hosts() {
    Map<HostKey, HostEntity> all = new LinkedHashMap<>();
    for (Entry entry : entries(HostEntityTable.NAME)) {
      all.put(
          HostEntityTable.CODEC.decodeKey(entry.key()),
          HostEntityTable.CODEC.decodeValue(entry.value()));
    }
    return all;
  }

  /** Where the indexes and counts differ from what the records ask for; empty where nowhere. */
  List<String> contradictions() {
    Map<Bytes, Bytes> byIp = new HashMap<>();
    Map<Bytes, Bytes> byPort = new HashMap<>();
    Map<Bytes, int[]> counts = new HashMap<>();
    hosts()
        .forEach(
            (host, entity) -> {
              Bytes key = HostEntityTable.CODEC.encodeKey(host);
              SwitchPort place = entity.place();
              List<Bytes> addresses = List.copyOf(HostIndexes.addresses(entity.host()));
              addresses.forEach(ip -> byIp.put(HostIndexes.key(ip, key), key));
              byPort.put(HostIndexes.key(HostIndexes.port(place), key), key);
              for (Bytes counted :
                  List.of(HostIndexes.port(place), HostIndexes.ofSwitch(place.dpid()))) {
                int[] count = counts.computeIfAbsent(counted, one -> new int[2]);
                count[0]++;
                count[1] += addresses.size();
              }
            });
    Map<Bytes, Bytes> counted = new HashMap<>();
    counts.forEach(
        (key, count) -> counted.put(key, new HostIndexes.Counts(count[0], count[1]).encode()));
    List<String> wrong = new ArrayList<>();
    compare(HostIndexes.BY_IP, byIp, wrong);
    compare(HostIndexes.BY_PORT, byPort, wrong);
    compare(HostIndexes.COUNTS, counted, wrong);
    return wrong;
  }

  private void compare(String name, Map<Bytes, Bytes> expected, List<String> wrong) {
    Map<Bytes, Bytes> found = table(name);
    if (!found.equals(expected)) {
      wrong.add(name + " has " + found + ", its records ask for " + expected);
    }
  }
}
