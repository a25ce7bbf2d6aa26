package io.lockstep.core.flow.placed;

import io.lockstep.core.southbound.FlowMod;
import io.lockstep.placer.Plan;
import io.lockstep.placer.Refusal;
import io.lockstep.placer.RuleKey;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a placed switch needs next, as a look at the queue or a reading of the switch found it. */
sealed interface NextWork {
  /**
   * One method for each kind of work. A class that lacks the method for a new kind does not
   * compile.
   */
  interface Cases {
    /** Adds these new rules together. */
    void addBatch(BatchRun batch);

    /** Adds or changes a rule by a plan. */
    void carryOut(Plan plan, RuleKey key);

    /** Removes a rule by a plan. */
    void remove(Plan plan, RuleKey key);

    /** Gives hidden rules their entries, before the rule leaves that hides them. */
    void prepare(Plan plan);

    /**
     * Removes other rules, since a removal has to wait for that.
     *
     * @param victims the other rules, each with the reason for those who request it
     */
    void evict(Map<RuleKey, Refusal> victims);

    /**
     * Retries the removals after a while, since one of them has no plan now.
     *
     * @param reasons to be reported to those who wait for removals
     */
    void retryRemovals(Map<RuleKey, Refusal> reasons);

    /** Sends flow-mods together, to repair what a reading showed. */
    void repair(List<FlowMod> mods);

    /** Carries out a plan that no one requested. */
    void maintain(Plan plan);

    /** Finds nothing to do, as far as this call looked. */
    void nothing();
  }

  /** Calls the method for this kind of work. */
  void match(Cases cases);

  /** See {@link Cases#addBatch}. */
  record AddBatch(BatchRun batch) implements NextWork {
    @Override
    public void match(Cases cases) {
      cases.addBatch(batch);
    }
  }

  /** See {@link Cases#carryOut}. */
  record CarryOut(Plan plan, RuleKey key) implements NextWork {
    @Override
    public void match(Cases cases) {
      cases.carryOut(plan, key);
    }
  }

  /** See {@link Cases#remove}. */
  record Remove(Plan plan, RuleKey key) implements NextWork {
    @Override
    public void match(Cases cases) {
      cases.remove(plan, key);
    }
  }

  /** See {@link Cases#prepare}. */
  record Prepare(Plan plan) implements NextWork {
    @Override
    public void match(Cases cases) {
      cases.prepare(plan);
    }
  }

  /** See {@link Cases#evict}. */
  record Evict(Map<RuleKey, Refusal> victims) implements NextWork {
    public Evict {
      victims = Collections.unmodifiableMap(new LinkedHashMap<>(victims));
    }

    @Override
    public void match(Cases cases) {
      cases.evict(victims);
    }
  }

  /**
   * See {@link Cases#retryRemovals}.
   *
   * @param refusal why a removal has no plan
   * @param reported whether that is reported
   */
  record RetryRemovals(RuleKey key, Refusal refusal, boolean reported) implements NextWork {
    @Override
    public void match(Cases cases) {
      cases.retryRemovals(reported ? Map.of(key, refusal) : Map.of());
    }
  }

  /** See {@link Cases#repair}. */
  record Repair(List<FlowMod> mods) implements NextWork {
    public Repair {
      mods = List.copyOf(mods);
    }

    @Override
    public void match(Cases cases) {
      cases.repair(mods);
    }
  }

  /** See {@link Cases#maintain}. */
  record Maintain(Plan plan) implements NextWork {
    @Override
    public void match(Cases cases) {
      cases.maintain(plan);
    }
  }

  /** See {@link Cases#nothing}. */
  record Nothing() implements NextWork {
    @Override
    public void match(Cases cases) {
      cases.nothing();
    }
  }
}
