package io.lockstep.core.mastership;

import io.lockstep.store.MicroComponent;
import io.lockstep.store.TableSpec;
import java.util.List;
import java.util.Map;

/** What mastership needs of the store. */
public final class MastershipComponents {
  private MastershipComponents() {}

  /** The micro components, for registration in every replica; each is stateless. */
  public static List<MicroComponent> all() {
    return List.of(
        new ClaimDomain(),
        new HandOverDomain(),
        new DelegateSwitch(),
        new AssignSwitches(),
        new FencedWrite(),
        new FencedWrites(),
        new ProposeDomains(),
        new FollowDomains());
  }

  /** The tables, for every client to declare. */
  public static Map<String, TableSpec> tables() {
    return Map.of(
        DomainTable.NAME, TableSpec.values(),
        DelegationTable.NAME, TableSpec.values(),
        HandOverTable.NAME, TableSpec.values(),
        MoveTable.NAME, TableSpec.values());
  }
}
