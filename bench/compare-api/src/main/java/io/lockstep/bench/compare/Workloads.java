package io.lockstep.bench.compare;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The workloads of table I of the paper by name, each in the variants it has; {@code cache} is that
 * of table II.
 */
public final class Workloads {
  /** All variants, in the order of the tables. */
  public static final List<String> VARIANTS =
      List.of("init", "cref", "vers", "cols", "micro", "cache");

  private static final Map<String, Map<String, Supplier<FlowPlan>>> ALL = new LinkedHashMap<>();

  static {
    add("ls-ucast", "init", LearningSwitchPlans::unicast);
    add("ls-ucast", "micro", LearningSwitchPlans::micro);
    add("ls-ucast", "cache", CachePlans::learningSwitch);
    add("lb-vip", "init", LoadBalancerPlans::init);
    add("lb-vip", "cref", LoadBalancerPlans::references);
    add("lb-vip", "vers", LoadBalancerPlans::versions);
    add("lb-vip", "cols", LoadBalancerPlans::columns);
    add("lb-vip", "micro", LoadBalancerPlans::micro);
    add("lb-vip", "cache", CachePlans::loadBalancer);
    add("dm-known", "init", KnownDevicePlans::init);
    add("dm-known", "cref", KnownDevicePlans::references);
    add("dm-known", "vers", KnownDevicePlans::versions);
    add("dm-known", "cols", KnownDevicePlans::columns);
    add("dm-known", "micro", KnownDevicePlans::micro);
    add("dm-known", "cache", CachePlans::knownDevice);
    add("dm-unknown", "init", UnknownDevicePlans::init);
    add("dm-unknown", "cref", UnknownDevicePlans::references);
    add("dm-unknown", "vers", UnknownDevicePlans::versions);
    add("dm-unknown", "cols", UnknownDevicePlans::columns);
    add("dm-unknown", "micro", UnknownDevicePlans::micro);
    add("ls-bcast", "init", LearningSwitchPlans::broadcast);
    add("lb-arp", "init", LoadBalancerPlans::arpInit);
    add("lb-arp", "cref", LoadBalancerPlans::arpReferences);
    add("lb-arp", "vers", LoadBalancerPlans::arpVersions);
    add("lb-arp", "cols", LoadBalancerPlans::arpColumns);
  }

  private Workloads() {}

  private static void add(String workload, String variant, Supplier<FlowPlan> plan) {
    ALL.computeIfAbsent(workload, name -> new LinkedHashMap<>()).put(variant, plan);
  }

  /**
   * The worst case of table II: the workload in the variant {@code cache}, where the cache knows
   * nothing.
   *
   * @throws IllegalArgumentException where the workload has no such variant
   */
  public static FlowPlan worstCase(String workload) {
    return switch (workload) {
      case "ls-ucast" -> CachePlans.learningSwitchWorst();
      case "lb-vip" -> CachePlans.loadBalancer(0);
      case "dm-known" -> CachePlans.knownDevice(0);
      default -> throw new IllegalArgumentException("no cache in " + workload);
    };
  }

  /** All workloads, the four main ones first. */
  public static Set<String> names() {
    return ALL.keySet();
  }

  /** The variants that a workload has; none where there is no such workload. */
  public static Set<String> variants(String workload) {
    return ALL.getOrDefault(workload, Map.of()).keySet();
  }

  /**
   * The plan.
   *
   * @throws IllegalArgumentException where the workload has no such variant
   */
  public static FlowPlan plan(String workload, String variant) {
    Supplier<FlowPlan> plan = ALL.getOrDefault(workload, Map.of()).get(variant);
    if (plan == null) {
      throw new IllegalArgumentException("no workload " + workload + " " + variant);
    }
    return plan.get();
  }
}
