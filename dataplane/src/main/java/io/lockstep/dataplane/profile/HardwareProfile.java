package io.lockstep.dataplane.profile;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A model of switch. Read from a file by {@link ProfileFile}.
 *
 * @param openFlow the version it speaks, "1.0" or "1.3"
 * @param tables 1 to 254, the lowest number first; it is 0
 * @param groups the types of groups that it knows, {@link EntryKind#L2_INTERFACE} or none
 * @param lookup which entry wins where a table is divided between hardware and software
 * @param software null where no packet goes through the processor
 * @param promotion null where entries stay where they are
 * @param policyEngine null where there is none
 * @param lineRateMbit of its ports
 * @param idleCpuPercent load of the processor without packets
 * @param notes for people
 */
public record HardwareProfile(
    String name,
    String openFlow,
    Description description,
    List<TableProfile> tables,
    Set<String> groups,
    Lookup lookup,
    @Nullable SoftwareProfile software,
    @Nullable PromotionProfile promotion,
    @Nullable PolicyEngineProfile policyEngine,
    int lineRateMbit,
    double idleCpuPercent,
    List<String> notes) {
  public HardwareProfile {
    tables = List.copyOf(tables);
    groups = Set.copyOf(groups);
    notes = List.copyOf(notes);
  }

  /** A switch after the specification: tables in hardware that take every match. */
  public static HardwareProfile ideal(int tables, int entriesPerTable) {
    List<TableProfile> plain = new ArrayList<>();
    for (int id = 0; id < tables; id++) {
      plain.add(TableProfile.plain(id, "table" + id, entriesPerTable));
    }
    return new HardwareProfile(
        "ideal",
        "1.3",
        Description.OF_THE_EMULATOR,
        plain,
        Set.of(),
        Lookup.PRIORITY,
        null,
        null,
        null,
        1000,
        0,
        List.of());
  }

  /**
   * The same after an operator set OpenFlow's share of the hardware: floor(capacity x share).
   *
   * @param percent 0 to 100
   * @throws IllegalArgumentException for another share, or a switch without a policy engine
   */
  public HardwareProfile withPolicyShare(int percent) {
    if (policyEngine == null) {
      throw new IllegalArgumentException(name + " has no policy engine");
    }
    return with(tables, software, promotion, new PolicyEngineProfile(percent, policyEngine.hang()));
  }

  /** The same with software that forwards at another rate, 1 to its maximum. */
  public HardwareProfile withSoftwareRate(int packetsPerSecond) {
    if (software == null) {
      throw new IllegalArgumentException(name + " has no software path");
    }
    return withSoftware(software.withRate(packetsPerSecond));
  }

  /** The same with another software path. */
  public HardwareProfile withSoftware(SoftwareProfile other) {
    return with(tables, other, promotion, policyEngine);
  }

  /** The same with another promotion, or none. */
  public HardwareProfile withPromotion(@Nullable PromotionProfile other) {
    return with(tables, software, other, policyEngine);
  }

  /** Whether it speaks OpenFlow 1.0: a miss goes to the controller by itself. */
  public boolean isOpenFlow10() {
    return openFlow.equals("1.0");
  }

  /** The same that speaks another version of OpenFlow, "1.0" or "1.3". */
  public HardwareProfile withOpenFlow(String version) {
    return new HardwareProfile(
        name,
        version,
        description,
        tables,
        groups,
        lookup,
        software,
        promotion,
        policyEngine,
        lineRateMbit,
        idleCpuPercent,
        notes);
  }

  /** The same that never hangs. */
  public HardwareProfile withoutHang() {
    return policyEngine == null
        ? this
        : with(
            tables,
            software,
            promotion,
            new PolicyEngineProfile(policyEngine.sharePercent(), null));
  }

  private HardwareProfile with(
      List<TableProfile> newTables,
      @Nullable SoftwareProfile newSoftware,
      @Nullable PromotionProfile newPromotion,
      @Nullable PolicyEngineProfile newEngine) {
    return new HardwareProfile(
        name,
        openFlow,
        description,
        newTables,
        groups,
        lookup,
        newSoftware,
        newPromotion,
        newEngine,
        lineRateMbit,
        idleCpuPercent,
        notes);
  }

  /** The tables with what the policy engine leaves of their hardware. */
  public List<TableProfile> sharedTables() {
    Integer share = policyEngine == null ? null : policyEngine.sharePercent();
    return share == null
        ? tables
        : tables.stream().map(each -> each.withHardwareShare(share)).toList();
  }

  @Override
  public String toString() {
    return name;
  }

  /** What the switch says of itself (OpenFlow 1.3.5 section 7.3.5.1). */
  public record Description(String manufacturer, String hardware, String software) {
    /** The emulated switch that is no particular one. */
    public static final Description OF_THE_EMULATOR =
        new Description("Lockstep", "emulated switch", "software switch model");
  }

  /** Which entry wins a packet in a table with hardware and software. */
  public enum Lookup {
    /** The processor sees only what hardware has no entry for, whatever the priorities. */
    HARDWARE_FIRST,
    /** The highest priority, wherever it is. */
    PRIORITY
  }
}
