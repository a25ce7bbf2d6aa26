package io.lockstep.core.path;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What is to be done with a path now. */
sealed interface NextStep {

  /**
   * Nothing.
   *
   * @param millis until time alone makes a difference; {@link #NO_TIME} where it makes none
   */
  record Wait(long millis) implements NextStep {
    /** Only another row or another state of a rule makes a difference. */
    static final long NO_TIME = Long.MAX_VALUE;
  }

  /**
   * One batch, which holds only for the version of the row on which it was decided.
   *
   * @param row the next row; null to remove it
   * @param puts rules that are intended from now on
   * @param removes rules that are to be removed
   * @param takes a tag that must be free and is taken; 0 for none
   * @param frees tags that are free from now on
   */
  record Write(
      @Nullable PathRow row,
      List<SlotRule> puts,
      List<SlotRule> removes,
      int takes,
      Set<Integer> frees)
      implements NextStep {
    public Write {
      puts = List.copyOf(puts);
      removes = List.copyOf(removes);
      frees = Set.copyOf(frees);
    }

    /** A batch that takes and frees no tag. */
    static Write of(PathRow row, List<SlotRule> puts, List<SlotRule> removes) {
      return new Write(row, puts, removes, 0, Set.of());
    }
  }
}
