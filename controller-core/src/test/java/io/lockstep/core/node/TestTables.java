package io.lockstep.core.node;

import io.lockstep.store.TableSpec;
import java.util.HashMap;
import java.util.Map;

/** What a node's client declares, and a table of the tests' own. */
public final class TestTables {
  /** Of the tests. */
  public static final String OWN = "net.test";

  private TestTables() {}

  /** All of them by name. */
  public static Map<String, TableSpec> all() {
    Map<String, TableSpec> all = new HashMap<>(CoreTables.all());
    all.put(OWN, TableSpec.values());
    return all;
  }
}
