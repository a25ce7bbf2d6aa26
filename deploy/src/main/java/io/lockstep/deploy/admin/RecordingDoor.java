package io.lockstep.deploy.admin;

import io.lockstep.deploy.admin.ProbeDoor.Answer;
import org.jspecify.annotations.Nullable;

/** What the admin HTTP does for {@code record}; called on its threads, may block for seconds. */
public interface RecordingDoor {
  /** The path. */
  String PATH = "/api/v1/recording";

  /**
   * The node's recording, or its last one.
   *
   * @param state {@code off} where there was none since the start, else in small letters a {@link
   *     io.lockstep.core.recording.RecordingStatus.State}
   * @param detail why it ended where nobody stopped it; empty otherwise
   * @param file with its path at the node; empty without a recording
   * @param megabytes the file's limit
   * @param lost records that the recorder had no room for
   */
  record Shown(
      String node,
      String state,
      String detail,
      String file,
      int megabytes,
      long events,
      long operations,
      long lost,
      long bytes) {}

  /** A {@link Shown}. */
  Answer show();

  /**
   * Begins a recording: {@link Shown}, or a refusal with status 400 (a value is wrong), 409 (one is
   * on, or the file is there), 500 (the file cannot be made) or 507 (too little room on the disk).
   *
   * @param file a name without a path; null for one of the node's choice
   * @param megabytes the file's limit; null for the usual one
   */
  Answer start(@Nullable String file, @Nullable String megabytes);

  /** Ends the recording: {@link Shown}, or a refusal with status 409 where none is on. */
  Answer stop();
}
