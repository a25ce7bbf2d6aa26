package io.lockstep.dataplane.model;

import io.lockstep.dataplane.flowtable.FlowMod;
import io.lockstep.dataplane.flowtable.ModelError;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Stands between flow-mods and the tables of a switch: looks at the tables before and behind each,
 * refuses it, or confirms it and does not keep it, as a faulty switch would. Called on the switch's
 * thread; a switch has one, which outlives a restart.
 */
@FunctionalInterface
public interface FlowModTap {
  /** Only carries out. */
  FlowModTap NONE = (mod, tables) -> tables.get();

  /**
   * A flow-mod has arrived.
   *
   * @param tables carries it out and gives the error, empty when done; to be called once, or never
   * @return what the switch answers: empty for done
   */
  Optional<ModelError> carryOut(FlowMod mod, Supplier<Optional<ModelError>> tables);
}
