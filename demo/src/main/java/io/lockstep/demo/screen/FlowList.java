package io.lockstep.demo.screen;

import java.util.List;

/** The flow entries of one switch, those with the highest priority first. */
public record FlowList(String title, List<Entry> entries) {
  public FlowList {
    entries = List.copyOf(entries);
  }

  /** A flow entry in words. */
  public record Entry(int priority, String match, String actions, long packets) {}
}
