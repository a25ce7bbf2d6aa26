package io.lockstep.bench.compare;

import java.util.List;

/** A workload in one variant: what must be in the store before, and what each flow does. */
public interface FlowPlan {

  /** The tables, those that others refer to first. */
  List<TableLayout> tables();

  /** Puts and increments to be done once before the flows, in any order. */
  List<Operation> preparation();

  /**
   * The first step of a flow.
   *
   * @param number of the flow, from 0; flows of neighbouring numbers concern different hosts
   */
  Step first(long number);
}
