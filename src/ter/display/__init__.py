"""What people look at: live progress, pictures, pages."""
