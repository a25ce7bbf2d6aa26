package io.lockstep.bench.compare;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Tables I and II of the paper as data: the operations of each event in each variant, with their
 * sizes. The one place where tests and reports take them from. A variant that the paper leaves
 * blank has the operations of the one before it.
 */
public final class PaperTables {
  private static final Map<String, Map<String, List<PaperOperation>>> ALL = new LinkedHashMap<>();

  /** How many operations of table II are answered from the cache at best. */
  private static final Map<String, Integer> CACHED =
      Map.of("ls-ucast", 2, "lb-vip", 1, "dm-known", 1);

  private static final String LEARN = "W 113 1 associate source with port";
  private static final String VIP_ID = "R 104 8 virtual address's id";
  private static final String VIP = "R 29 509 virtual address";
  private static final String POOL = "R 30 369 pool";
  private static final String POOL_WITH_VERSION = "R 30 373 pool";
  private static final String VIP_OF_IP = "R 104 513 virtual address of the IP";
  private static final String VIP_COLUMNS = "R 62 324 virtual address of the IP";
  private static final String SOURCE_KEY = "R 408 8 source's key";
  private static final String TARGET_KEY = "R 408 8 target's key";
  private static final String NO_SOURCE = "R 408 0 source's key";
  private static final String COUNT = "W 21 4 next device's number";
  private static final String MAC = "W 416 0 MAC table";
  private static final String READ_IPS = "R 386 0 IP index";
  private static final String WRITE_IPS = "W 517 0 IP index";
  private static final String TARGET_COLUMNS = "R 416 474 target device";

  static {
    add("ls-bcast", "init", LEARN);
    add("ls-ucast", "init", LEARN, "R 36 77 port of destination");
    add("ls-ucast", "micro", "W 56 6 associate source, port of destination");
    add("ls-ucast", "cache", "W 29 1 associate source with port", "R 27 6 port of destination");
    add("lb-arp", "init", VIP_ID, VIP);
    add("lb-arp", "cref", "R 104 509 virtual address of the IP");
    add("lb-arp", "vers", VIP_OF_IP);
    add("lb-arp", "cols", VIP_COLUMNS);
    add("lb-vip", "init", VIP_ID, VIP, POOL, "W 772 1 replace pool", "R 32 221 member");
    add(
        "lb-vip",
        "cref",
        "R 104 509 virtual address of the IP",
        POOL,
        "W 772 1 replace pool",
        "R 32 221 member");
    add("lb-vip", "vers", VIP_OF_IP, POOL_WITH_VERSION, "W 403 1 replace pool", "R 32 225 member");
    add("lb-vip", "cols", VIP_COLUMNS, POOL_WITH_VERSION, "W 403 1 replace pool", "R 44 4 member");
    add("lb-vip", "micro", VIP_COLUMNS, "W 11 4 take next member");
    add("lb-vip", "cache", VIP_COLUMNS, "W 21 4 take next member");
    add(
        "dm-known",
        "init",
        SOURCE_KEY,
        "R 26 1444 source device",
        "W 2942 0 last seen",
        TARGET_KEY,
        "R 26 1369 target device");
    add(
        "dm-known",
        "cref",
        "R 408 1274 source device",
        "W 2602 0 last seen",
        "R 408 1199 target device");
    add(
        "dm-known",
        "vers",
        "R 408 1278 source device",
        "W 1316 1 last seen",
        "R 408 1203 target device");
    add("dm-known", "cols", "R 486 1261 source device", "W 667 1 last seen", TARGET_COLUMNS);
    add("dm-known", "micro", "R 28 1414 both devices", "W 36 0 last seen");
    add("dm-known", "cache", "R 28 1414 both devices", "W 36 0 last seen");
    add(
        "dm-unknown",
        "init",
        NO_SOURCE,
        COUNT,
        "W 1395 1 device table",
        MAC,
        READ_IPS,
        WRITE_IPS,
        TARGET_KEY,
        "R 26 1378 target device");
    add("dm-unknown", "cref", unknown("W 1225 1 device table", "R 408 1208 target device"));
    add("dm-unknown", "vers", unknown("W 1225 1 device table", "R 408 1212 target device"));
    add(
        "dm-unknown",
        "cols",
        "R 486 0 source device",
        COUNT,
        "W 1183 1 device table",
        MAC,
        READ_IPS,
        WRITE_IPS,
        TARGET_COLUMNS);
    add("dm-unknown", "micro", "R 28 201 both devices", "W 476 8 create device");
  }

  private PaperTables() {}

  /**
   * One operation.
   *
   * @param isWrite whether the paper marks it W
   * @param requestBytes of the request, as the paper counts
   * @param replyBytes of the reply
   * @param what it does, in a few words
   */
  public record PaperOperation(boolean isWrite, int requestBytes, int replyBytes, String what) {}

  private static String[] unknown(String device, String target) {
    return new String[] {NO_SOURCE, COUNT, device, MAC, READ_IPS, WRITE_IPS, target};
  }

  private static void add(String workload, String variant, String... operations) {
    List<PaperOperation> all = new ArrayList<>();
    for (String operation : operations) {
      String[] words = operation.split(" ", 4);
      all.add(
          new PaperOperation(
              words[0].equals("W"),
              Integer.parseInt(words[1]),
              Integer.parseInt(words[2]),
              words[3]));
    }
    ALL.computeIfAbsent(workload, name -> new LinkedHashMap<>()).put(variant, List.copyOf(all));
  }

  /**
   * The operations of a workload in the variant {@code cache} where the cache has all that it may
   * have: table II marks what it answers, the first ones.
   *
   * @throws IllegalArgumentException where table II has no such workload
   */
  public static List<PaperOperation> operationsInBestCase(String workload) {
    Integer cached = CACHED.get(workload);
    if (cached == null) {
      throw new IllegalArgumentException("table II has no workload " + workload);
    }
    List<PaperOperation> all = operations(workload, "cache");
    return all.subList(cached, all.size());
  }

  /** The workloads, by the names that the paper gives them. */
  public static Set<String> workloads() {
    return ALL.keySet();
  }

  /**
   * The operations of a workload.
   *
   * @param variant of {@link Workloads#VARIANTS}
   * @throws IllegalArgumentException where there is no such workload or variant
   */
  public static List<PaperOperation> operations(String workload, String variant) {
    Map<String, List<PaperOperation>> variants = ALL.get(workload);
    int last = Workloads.VARIANTS.indexOf(variant);
    if (variants == null || last < 0) {
      throw new IllegalArgumentException("no workload " + workload + " " + variant);
    }
    List<PaperOperation> found = List.of();
    for (String earlier : Workloads.VARIANTS.subList(0, last + 1)) {
      found = variants.getOrDefault(earlier, found);
    }
    return found;
  }
}
