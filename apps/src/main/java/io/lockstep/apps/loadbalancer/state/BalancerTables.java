package io.lockstep.apps.loadbalancer.state;

import io.lockstep.store.Bytes;
import io.lockstep.store.Entry;
import io.lockstep.store.TableSpec;
import io.lockstep.store.Transaction;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The names of the tables. What is in them is in docs/adr/0030 and in the types named here. */
public final class BalancerTables {
  private static final String PREFIX = "apps.load-balancer.";

  /** Name to {@link VirtualIp}. */
  public static final String VIPS = PREFIX + "vips";

  /** Name to {@link Pool}. */
  public static final String POOLS = PREFIX + "pools";

  /** Name to {@link Member}. */
  public static final String MEMBERS = PREFIX + "members";

  /** ConfigNames of members that are down: {@link HealthTable}. */
  public static final String HEALTH = PREFIX + "health";

  /** {@link ConnectionKey} to {@link ConnectionRecord}. */
  public static final String CONNECTIONS = PREFIX + "connections";

  /** {@link ServiceAddress} to the name of its virtual IP. */
  static final String SERVICES = PREFIX + "services";

  /** Pool to {@link PoolOrder}. */
  static final String ORDERS = PREFIX + "orders";

  /** Pool to {@link PoolTurn}. */
  static final String TURNS = PREFIX + "turns";

  /** {@link SourceTranslation} to the key of its connection. */
  static final String TRANSLATIONS = PREFIX + "translations";

  /** {@link ConnectionCounts}. */
  public static final String COUNTS = PREFIX + "counts";

  private BalancerTables() {}

  /** All tables, for every client to declare. */
  public static Map<String, TableSpec> all() {
    Map<String, TableSpec> all = new HashMap<>();
    for (String name :
        List.of(
            VIPS,
            POOLS,
            MEMBERS,
            HEALTH,
            CONNECTIONS,
            SERVICES,
            ORDERS,
            TURNS,
            TRANSLATIONS,
            COUNTS)) {
      all.put(name, TableSpec.values());
    }
    return Map.copyOf(all);
  }

  /** All entries of a table that has {@code most} entries at most. */
  static List<Entry> all(Transaction transaction, String table, int most) {
    return transaction.scan(table, Bytes.empty(), null, most);
  }

  /** The store's time, which the replicas agree on. */
  static long nowSeconds(Transaction transaction) {
    return transaction.timeMillis() / 1_000;
  }
}
