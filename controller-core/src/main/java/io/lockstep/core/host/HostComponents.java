package io.lockstep.core.host;

import io.lockstep.store.MicroComponent;
import io.lockstep.store.TableSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What hosts need of the store. */
public final class HostComponents {
  private HostComponents() {}

  /** The micro components, for registration in every replica; each is stateless. */
  public static List<MicroComponent> all() {
    return List.of(new ChangeHosts(), new FindHosts());
  }

  /** The tables, for every client to declare. */
  public static Map<String, TableSpec> tables() {
    Map<String, TableSpec> all = new HashMap<>(HostIndexes.tables());
    all.put(HostTable.HOSTS, TableSpec.values());
    all.put(HostTable.MOVES, TableSpec.values());
    return Map.copyOf(all);
  }
}
