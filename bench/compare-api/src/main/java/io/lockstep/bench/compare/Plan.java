package io.lockstep.bench.compare;

import java.util.List;
import java.util.function.LongFunction;

/** A workload whose steps are given as a function. */
record Plan(List<TableLayout> tables, List<Operation> preparation, LongFunction<Step> flow)
    implements FlowPlan {
  Plan {
    tables = List.copyOf(tables);
    preparation = List.copyOf(preparation);
  }

  @Override
  public Step first(long number) {
    return flow.apply(number);
  }
}
