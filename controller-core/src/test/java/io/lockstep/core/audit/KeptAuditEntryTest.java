package io.lockstep.core.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.Bytes;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** Entries of the audit trail are written as they were: nodes of two releases read them. */
class KeptAuditEntryTest {
  private static final Bytes KEPT =
      Bytes.wrap(
          HexFormat.of()
              .parseHex(
                  "010000000000000102026e310361646103505554112f6170692f76312f666c6f"
                      + "77732f776562000000c801360137"));

  private static final AuditEntry ENTRY =
      new AuditEntry(258, "n1", "ada", "PUT", "/api/v1/flows/web", 200, "6", "7");

  @Test
  void entryIsReadAndWrittenAsItWas() {
    assertThat(AuditEntry.decode(KEPT)).isEqualTo(ENTRY);
    assertThat(ENTRY.encode())
        .as("a new format needs a version of the cluster: docs/adr/0043")
        .isEqualTo(KEPT);
  }
}
