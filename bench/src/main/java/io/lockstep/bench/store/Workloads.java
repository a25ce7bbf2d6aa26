package io.lockstep.bench.store;

import io.lockstep.apps.Applications;
import io.lockstep.store.TableSpec;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The workloads by name. */
final class Workloads {
  private static final Map<String, Supplier<Workload>> BY_NAME = new LinkedHashMap<>();

  static {
    BY_NAME.put("put", () -> new EntryWorkload(true, false));
    BY_NAME.put("get", () -> new EntryWorkload(false, true));
    BY_NAME.put("ls-ucast-init", () -> new EntryWorkload(true, true));
    BY_NAME.put("ls-ucast-micro", ForwardWorkload::new);
  }

  private Workloads() {}

  /** The tables of all workloads. */
  static Map<String, TableSpec> tables() {
    Map<String, TableSpec> tables = new HashMap<>(Applications.tables());
    tables.put(EntryWorkload.TABLE, TableSpec.values());
    return Map.copyOf(tables);
  }

  /** All names. */
  static Set<String> names() {
    return BY_NAME.keySet();
  }

  /** The workload of this name, or null. */
  static @Nullable Workload named(String name) {
    Supplier<Workload> workload = BY_NAME.get(name);
    return workload == null ? null : workload.get();
  }
}
