package io.lockstep.core.path;

import io.lockstep.core.state.NodeState;
import io.lockstep.core.state.TableView;
import java.util.List;

/** Paths and their tags as this node knows them now. Thread-safe to read. */
public final class PathViews {
  /** The tables, for every client to declare. */
  public static final List<String> NAMES = List.of(PathTable.NAME, TagTable.NAME);

  private final NodeState state;
  private final TableView<String, PathRow> paths;
  private final TableView<Integer, String> tags;

  /** Declares the tables. */
  public PathViews(NodeState state) {
    this.state = state;
    paths = state.declare(PathTable.NAME, new PathTable());
    tags = state.declare(TagTable.NAME, new TagTable());
  }

  TableView<String, PathRow> paths() {
    return paths;
  }

  TableView<Integer, String> tags() {
    return tags;
  }

  /** Runs a task on the control loop as soon as the views show everything up to this version. */
  void whenVisible(long version, Runnable task) {
    state.whenVisible(version, task);
  }
}
