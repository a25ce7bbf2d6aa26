package io.lockstep.dataplane.flowtable;

import java.util.List;

/**
 * A change of the group table (OpenFlow 1.3.5 section 7.3.4.2).
 *
 * @param indirect whether the group's type is indirect: one bucket
 * @param buckets the actions of each; meaningless in a delete
 */
public record GroupMod(Command command, boolean indirect, int id, List<List<Action>> buckets) {
  /** OFPG_ALL: every group, in a delete. */
  public static final int ALL_GROUPS = 0xffff_fffc;

  public GroupMod {
    buckets = buckets.stream().map(List::copyOf).toList();
  }

  /** What to do with the group. */
  public enum Command {
    ADD,
    MODIFY,
    DELETE
  }
}
