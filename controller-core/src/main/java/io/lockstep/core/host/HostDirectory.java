package io.lockstep.core.host;

import io.lockstep.store.Bytes;
import io.lockstep.store.typed.ReadResult;
import io.lockstep.store.typed.Store;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.onosproject.net.HostId;

/**
 * Looks devices up in the store for operators. Thread-safe; futures complete normally, on the store
 * client's loop or at once.
 */
public final class HostDirectory {
  /** How old a single device may be. */
  static final Duration STALENESS = Duration.ofSeconds(1);

  private static final Duration DEADLINE = Duration.ofSeconds(10);
  private static final int MAX_TOKEN_CHARS = 58;
  private static final Pattern ID =
      Pattern.compile("[0-9a-fA-F]{2}(:[0-9a-fA-F]{2}){5}/([0-9]{1,4}|None)");

  private final Store store;

  /** A directory over a node's store. */
  public HostDirectory(Store store) {
    this.store = store.within(DEADLINE);
  }

  /**
   * Devices in the order of the index that found them.
   *
   * @param next where to go on; null where these are the last
   */
  public record Page(List<DeviceReport> devices, @Nullable String next) {
    public Page {
      devices = List.copyOf(devices);
    }
  }

  /**
   * Finds devices, at most 1000 at a time: one linearizable read, which has every acknowledged
   * change.
   *
   * @param next what the page before says; null to begin
   * @throws IllegalArgumentException where no page said that
   */
  public CompletableFuture<ReadResult<Page>> find(HostQuery query, @Nullable String next) {
    HostQuery from =
        next == null
            ? query
            : new HostQuery(query.by(), query.prefix(), token(query.prefix(), next));
    return store
        .query(FindHosts.COMPONENT, from)
        .thenApply(result -> result.map(found -> page(query, found)));
  }

  /** The key at which a page of this query ended. */
  private static Bytes token(Bytes prefix, String next) {
    String begin = HexFormat.of().formatHex(prefix.toArray());
    if (next.length() > MAX_TOKEN_CHARS || !next.startsWith(begin)) {
      throw new IllegalArgumentException("no page of this query ended with that");
    }
    return Bytes.wrap(HexFormat.of().parseHex(next));
  }

  private static Page page(HostQuery query, FindHosts.Found found) {
    List<FindHosts.Keyed> hosts = found.hosts();
    Bytes last = found.more() ? query.behind(hosts.get(hosts.size() - 1)).after() : null;
    return new Page(
        hosts.stream().map(one -> DeviceReport.of(one.key(), one.host())).toList(),
        last == null ? null : HexFormat.of().formatHex(last.toArray()));
  }

  /**
   * One device. The answer may come from this node's cache and be a second old: whoever looks at it
   * again and again costs the store one read in that time, and decides nothing upon it.
   *
   * @param id {@link DeviceReport#id}
   * @throws IllegalArgumentException where the text is no id
   */
  public CompletableFuture<ReadResult<Optional<DeviceReport>>> one(String id) {
    if (!ID.matcher(id).matches()) {
      throw new IllegalArgumentException("'" + id + "' is no id of a device");
    }
    HostKey key = HostKey.of(HostId.hostId(id));
    return store
        .table(HostEntityTable.DEF)
        .staleByAtMost(STALENESS)
        .get(key)
        .thenApply(
            result -> result.map(found -> found.map(host -> DeviceReport.of(key, host.value()))));
  }
}
