package io.lockstep.core.mastership;

import io.lockstep.store.MicroComponent;
import java.util.List;

/** The micro components of mastership, for registration in every replica. */
public final class MastershipComponents {
  private MastershipComponents() {}

  /** All of them; each is stateless. */
  public static List<MicroComponent> all() {
    return List.of(
        new ClaimDomain(), new HandOverDomain(), new DelegateSwitch(), new FencedWrite());
  }
}
