package io.lockstep.core.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.mastership.PureStore;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Entry;
import io.lockstep.store.Reply;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AppendAuditTest {
  private static final int MOST_ENTRIES = 20;
  private static final int MOST_BYTES = 4_000;

  private final PureStore store = new PureStore(List.of(new AppendAudit(MOST_ENTRIES, MOST_BYTES)));
  private final long session = store.open("n1");

  private static AuditEntry entry(String path) {
    return new AuditEntry(0, "n1", "ann", "PUT", path, 200, "7", "9");
  }

  private void append(String path) {
    assertThat(store.run(session, AppendAudit.COMPONENT, entry(path)))
        .isInstanceOf(Reply.Returned.class);
  }

  private List<AuditEntry> all() {
    List<AuditEntry> all = new ArrayList<>();
    Bytes from = Bytes.empty();
    boolean more = true;
    while (more) {
      Reply.Entries page =
          (Reply.Entries)
              store.run(session, new Command.Scan(AuditTables.ENTRIES, from, null, 1_000));
      for (Entry one : page.entries()) {
        all.add(AuditEntry.decode(one.value()));
        from = AuditTables.key(one.version() + 1);
      }
      more = page.more();
    }
    return all;
  }

  @Test
  void entriesAreInOrderWithTheTimeOfTheStore() {
    append("/api/v1/domains/west");
    append("/api/v1/nodes/n1/drain");
    assertThat(all())
        .extracting(AuditEntry::path)
        .containsExactly("/api/v1/domains/west", "/api/v1/nodes/n1/drain");
    assertThat(all().get(0).timeMillis()).isPositive();
    assertThat(all().get(0)).isEqualTo(entry("/api/v1/domains/west").at(all().get(0).timeMillis()));
  }

  @Test
  void oldestLeaveWithTheAppendThatExceedsTheirNumber() {
    for (int i = 0; i < MOST_ENTRIES + 3; i++) {
      append("/" + i);
    }
    assertThat(all()).hasSize(MOST_ENTRIES);
    assertThat(all().get(0).path()).isEqualTo("/3");
  }

  @Test
  void oldestLeaveWhereTheBytesAreTooMany() {
    String path = "/" + "x".repeat(1_000);
    for (int i = 0; i < 12; i++) {
      append(path);
    }
    List<AuditEntry> kept = all();
    long bytes = kept.stream().mapToLong(one -> one.encode().length() + 8L).sum();
    assertThat(bytes).isLessThanOrEqualTo(MOST_BYTES);
    assertThat(bytes).isGreaterThan(MOST_BYTES - 1_000);
    assertThat(kept).allMatch(one -> one.path().length() == 512);
  }

  @Test
  void whatATerminalCannotShowIsReplaced() {
    AuditEntry entry = new AuditEntry(0, "n1", "a\u001b[2Jb", "PUT", "/\n\u00e4", 200, "", "");
    assertThat(entry.user()).isEqualTo("a?[2Jb");
    assertThat(entry.path()).isEqualTo("/??");
  }

  @Test
  void whatIsNoEntryIsRefused() {
    Reply reply =
        store.run(session, new Command.Call(AppendAudit.COMPONENT.name(), Bytes.utf8("?")));
    assertThat(reply).isInstanceOf(Reply.Rejected.class);
    assertThat(all()).isEmpty();
  }
}
