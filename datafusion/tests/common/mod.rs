//! Helpers of several tests.

use datafusion::prelude::{SessionConfig, SessionContext};

/// A session that knows the functions of this package, and has `SHOW FUNCTIONS`.
pub fn context() -> SessionContext {
    let mut context = SessionContext::new_with_config(SessionConfig::new().with_information_schema(true));
    urivalidate_datafusion::register_all(&mut context).unwrap();
    context
}
