//! Helpers for several tests.

use std::sync::Arc;

use datafusion::prelude::{SessionConfig, SessionContext};

/// A session with all functions and the rewrite of this package, and with `SHOW FUNCTIONS`.
pub fn context() -> SessionContext {
    let mut context = SessionContext::new_with_config(SessionConfig::new().with_information_schema(true));
    urivalidate_datafusion::register_all(&mut context).unwrap();
    context.add_optimizer_rule(Arc::new(urivalidate_datafusion::FieldRewrite));
    context
}
